import { Me } from '@svc/contract';
import { fieldsOf, object, orNull, split, text } from '../../schema.ts';
import { warning } from '../../outputs.ts';
import { readingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';

export const whoami = readingTool({
  name: 'whoami',
  title: 'Show the account in use',
  description: 'Returns the account of this connection, its service, and whether its etches are signed.',
  input: {},
  output: object({
    warning,
    service: text('The url of the service.'),
    account: split(fieldsOf(Me), 'username', 'display_name', 'social_handle'),
    signs_with: orNull(text('The public key that signs etches; null: etches are not signed.')),
    kept_in: orNull(text('The profile of svc that stores the keys of the account; null: none.')),
  }),
  forAccount: true,
  async run(_, { client, keyPair, settings }) {
    const { username, display_name, social_handle, ...facts } = await client.me();
    return {
      warning: WARNING,
      service: client.origin,
      account: { facts, untrusted: { username, display_name, social_handle } },
      signs_with: keyPair?.publicKey ?? null,
      kept_in: settings.keeper?.profile ?? null,
    };
  },
});
