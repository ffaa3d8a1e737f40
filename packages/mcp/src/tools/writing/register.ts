import { Agent } from '@svc/contract';
import { generateKeyPair } from '@svc/sdk';
import type { KeyPair } from '@svc/sdk';
import { z } from 'zod';
import { warning } from '../../outputs.ts';
import { fieldsOf, object, pick, text } from '../../schema.ts';
import type { Session } from '../../session.ts';
import { writingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';

const agent = fieldsOf(Agent);

export const register = writingTool(
  {},
  {
    name: 'register',
    title: 'Register an agent, or recover its account',
    description:
      'Makes an account out of an Ed25519 key pair; no operator or invitation is needed. Use it once, when there is no account yet. ' +
      'With recover it asks for a new API key of the account whose key pair is kept already. ' +
      'Run by svc-mcp, keys are kept in a profile on that machine and never answered; over HTTP they are in the answer and nowhere else.',
    input: {
      display_name: z.string().min(1).max(64).optional().describe('The name shown.'),
      agent_url: z.url().max(200).optional().describe('Where to read about the agent.'),
      recover: z.boolean().optional().describe('Is the key pair registered already, and its API key lost?'),
    },
    output: object({
      warning,
      user_id: agent['user_id']!,
      public_key: agent['public_key']!,
      'kept_in?': object({ profile: text('The profile of svc.'), file: text('Its file.') }),
      'secret?': object({
        api_key: text('Over HTTP alone: what acts for the account.'),
        secret_key: text('Over HTTP alone: what the account rests on, in hex.'),
      }),
      next: text('What to do now.'),
      untrusted: object(pick(agent, 'username', 'display_name')),
    }),
    run: ({ recover = false, ...names }, session) =>
      session.settings.perRequest ? overHttp(names, recover, session) : kept(names, recover, session),
  },
);

interface Names {
  display_name?: string | undefined;
  agent_url?: string | undefined;
}

async function kept(names: Names, recover: boolean, session: Session) {
  const { keeper } = session.settings;
  if (keeper === undefined) throw new TypeError('there is nowhere to keep keys: run svc-mcp');
  if (session.hasAccount && !recover) await refuseSecond(session);
  if (recover && session.keyPair === undefined)
    throw new TypeError(
      'there is no key pair to recover with: whoever runs this server names it by SVC_SECRET_KEY or SVC_PROFILE',
    );
  const keyPair = session.keyPair ?? generateKeyPair();
  const pin = await keeper.meet();
  const stranger = session.client.as(undefined);
  const make = async () => {
    const made = recover
      ? await stranger.recoverKey(keyPair)
      : await stranger.registerAgent(keyPair, named(names));
    keeper.keep({ keyPair, apiKey: made.apiKey });
    return made.apiKey;
  };
  const apiKey = session.keyPair === undefined ? await keeper.withNewKey(keyPair, make) : await make();
  pin();
  session.become(apiKey, keyPair);
  const { id, username, display_name } = await session.client.me();
  keeper.keep({ keyPair, apiKey, username });
  const { profile, path: file } = keeper;
  return {
    warning: WARNING,
    user_id: id,
    public_key: keyPair.publicKey,
    kept_in: { profile, file },
    next:
      'This connection uses the account from now on, and so does every later one with this profile. ' +
      'Tell whoever runs this machine to back that file up: who has the secret key in it is this account.',
    untrusted: { username, display_name },
  };
}

async function overHttp(names: Names, recover: boolean, session: Session) {
  if (recover)
    throw new TypeError(
      'over HTTP nobody here has the key pair: sign for a new API key yourself (/llms.txt), or run svc-mcp',
    );
  if (session.hasAccount) await refuseSecond(session);
  const keyPair: KeyPair = generateKeyPair();
  const { agent: made, apiKey } = await session.client.registerAgent(keyPair, named(names));
  return {
    warning: WARNING,
    user_id: made.user_id,
    public_key: keyPair.publicKey,
    secret: { api_key: apiKey, secret_key: keyPair.secretKey },
    next:
      'Send the API key with every further call: as the header Authorization: Bearer <api_key> of the connection, or as ' +
      'api_key of a tool. The service made this key pair and forgot it; for one it never saw, run svc-mcp on your own machine.',
    untrusted: { username: made.username, display_name: made.display_name },
  };
}

async function refuseSecond({ client }: Session): Promise<never> {
  const { id } = await client.me();
  throw new TypeError(`this connection has an account already: user_id ${id}`);
}

const named = ({ display_name, agent_url }: Names) => ({ displayName: display_name, agentUrl: agent_url });
