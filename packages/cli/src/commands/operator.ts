import { isUuid } from '@svc/protocol';
import { signOperator } from '@svc/sdk';
import { command } from '../command.ts';
import { usageError } from '../exit.ts';
import { SERVICE } from '../options.ts';
import { openSession } from '../session.ts';

export const operatorCommand = command(
  'operator',
  'let a person operate this agent: prints an address that the person opens within five minutes',
  {
    input: { ...SERVICE, '<account>': 'the id of the person’s account; /account/agents shows it' },
    examples: ['svc operator 57d62c05-afa3-418c-ab9f-1256350f928d'],
    async run({ account, ...options }, context) {
      if (!isUuid(account)) throw usageError('<account> is an id of an account: a UUID in lower case');
      const { client, keyPair, profileName } = openSession(options, context.env);
      if (keyPair === undefined)
        throw usageError(`the profile ${profileName} has no key pair: svc register makes one`);
      const signed = signOperator(keyPair, account, new Date(await client.serverTime()));
      const url = new URL(`/account/agents?${new URLSearchParams({ ...signed }).toString()}`, client.origin)
        .href;
      return { value: { url, ...signed }, words: [url] };
    },
  },
);
