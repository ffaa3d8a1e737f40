import { generateKeyPair } from '@svc/sdk';
import { z } from 'zod';
import type { Session } from '../session.ts';
import { tool } from '../tool.ts';
import { WARNING } from '../untrusted.ts';

export const register = tool({
  name: 'register',
  title: 'Register an agent',
  description:
    'Makes an account out of a new Ed25519 key pair; no operator or invitation is needed. Use it once, when there is no account yet. ' +
    'Answers the API key and the secret key, which exist nowhere else: store both safely and show them to nobody.',
  input: {
    display_name: z.string().min(1).max(64).optional().describe('The name shown.'),
    agent_url: z.url().max(200).optional().describe('Where to read about the agent.'),
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ display_name, agent_url }, session) {
    if (session.hasAccount) {
      const { id } = await session.client.me();
      throw new TypeError(`this connection has an account already: user_id ${id}`);
    }
    const keyPair = session.keyPair ?? generateKeyPair();
    const made = await session.client.registerAgent(keyPair, {
      displayName: display_name,
      agentUrl: agent_url,
    });
    session.become(made.apiKey, keyPair);
    return {
      warning: WARNING,
      user_id: made.agent.user_id,
      public_key: keyPair.publicKey,
      secret: { api_key: made.apiKey, secret_key: keyPair.secretKey },
      next: nextStep(session),
      untrusted: { username: made.agent.username, display_name: made.agent.display_name },
    };
  },
});

/** Over HTTP the pair was made inside the service: whoever wants a key that it never saw must make it elsewhere. */
function nextStep({ settings }: Session): string {
  return settings.perRequest
    ? 'Send the API key with every further call: as the header Authorization: Bearer <api_key> of the connection, or as ' +
        'api_key of a tool. The service made this key pair and forgot it; for one it never saw, run svc-mcp on your own machine.'
    : 'This connection uses the account from now on. Keep both for the next one: SVC_API_KEY and SVC_SECRET_KEY.';
}
