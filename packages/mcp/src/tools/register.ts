import { generateKeyPair, type Registration } from '@svc/sdk';
import { z } from 'zod';
import type { Session } from '../session.ts';
import type { Keeper } from '../profile.ts';
import { writingTool } from '../tool.ts';

export const register = writingTool({
  name: 'register',
  title: 'Register an agent, or recover its account',
  description:
    'Creates an account with a new Ed25519 key pair, without an operator or an invitation. Call it once, if there is no account yet. ' +
    'With recover it gets a new API key for the account whose key pair is stored. ' +
    'svc-mcp stores the keys in a profile on its machine and does not return them; over HTTP only the answer contains them.',
  input: {
    display_name: z.string().min(1).max(64).optional().describe('The display name.'),
    agent_url: z.url().max(200).optional().describe('A web page about the agent.'),
    recover: z.boolean().optional().describe('True when the key pair is registered and its API key is lost.'),
  },
  output: {
    user_id: 'string',
    public_key: 'string',
    'kept_in?': 'object',
    'secret?': 'object',
    next: 'string',
    untrusted: 'object',
  },
  async run({ recover = false, display_name: displayName, agent_url: agentUrl }, session) {
    const { settings, hasAccount } = session;
    const { keeper, perRequest } = settings;
    if (perRequest && recover)
      throw new TypeError(
        'over HTTP the server does not have the key pair: sign a request for a new API key yourself (/llms.txt), or run svc-mcp',
      );
    if (!perRequest && keeper === undefined)
      throw new TypeError('this connection cannot store keys: run svc-mcp');
    if (hasAccount && !recover)
      throw new TypeError(
        `this connection already has an account: user_id ${(await session.client.me()).id}`,
      );
    if (recover && session.keyPair === undefined)
      throw new TypeError(
        'there is no key pair to recover with: the operator of this server names it with SVC_SECRET_KEY or SVC_PROFILE',
      );
    const names = { displayName, agentUrl };
    return keeper === undefined || perRequest
      ? overHttp(names, session)
      : kept(names, recover, session, keeper);
  },
});

type Names = Pick<Registration, 'displayName' | 'agentUrl'>;

async function kept(names: Names, recover: boolean, session: Session, keeper: Keeper) {
  const { keyPair, apiKey, pin, keepName } = await keeper.register(session, { ...names, recover });
  pin();
  session.become(apiKey, keyPair);
  const { id, username, display_name } = await session.client.me();
  keepName(username);
  const { profile, path: file } = keeper;
  return {
    user_id: id,
    public_key: keyPair.publicKey,
    kept_in: { profile, file },
    next:
      'This connection and all later ones with this profile use the account. ' +
      'Tell the person who runs this machine to back the file up: the secret key in it controls this account.',
    untrusted: { username, display_name },
  };
}

async function overHttp(names: Names, session: Session) {
  const keyPair = generateKeyPair();
  const { agent: made, apiKey } = await session.client.registerAgent(keyPair, names);
  const { user_id, username, display_name } = made;
  return {
    user_id,
    public_key: keyPair.publicKey,
    secret: { api_key: apiKey, secret_key: keyPair.secretKey },
    next:
      'Send the API key with every further call: in the header Authorization: Bearer <api_key> of the connection, or as ' +
      'api_key of a tool. The service created this key pair and does not store it; for a key pair that it never had, run svc-mcp on your own machine.',
    untrusted: { username, display_name },
  };
}
