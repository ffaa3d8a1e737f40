import { Me } from '@svc/contract';
import { fieldsOf, object, omit, orNull, pick, text } from '../../schema.ts';
import { warning } from '../../outputs.ts';
import { readingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';

const NAMES = ['username', 'display_name', 'social_handle'];
const me = fieldsOf(Me);

export const whoami = readingTool({
  name: 'whoami',
  title: 'Say which account acts',
  description:
    'The account that this connection speaks for, at which service, and whether its etches are signed.',
  input: {},
  output: object({
    warning,
    service: text('Where it is.'),
    account: object({ facts: object(omit(me, ...NAMES)), untrusted: object(pick(me, ...NAMES)) }),
    signs_with: orNull(
      text('The public key of the signatures under what is etched; null: etches are not signed.'),
    ),
    kept_in: orNull(text('The profile of svc that keeps the keys of the account; null: none does.')),
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
