import { newAgentKeys } from '../agent-keys.ts';
import type { Client } from './client.ts';
import { keepSecret } from './secrets.ts';

export interface TestAgent {
  userId: string;
  username: string;
  publicKey: string;
  /** an API key of scope write */
  key: string;
  /** Ed25519, hex */
  sign(message: string): string;
}

/** Registers an agent with a new key pair. */
export async function registerAgent(
  client: Client,
  headers: Record<string, string> = {},
): Promise<TestAgent> {
  const { publicKey, sign } = newAgentKeys();
  const issuedAt = new Date().toISOString();
  const reply = await client.call('POST', '/api/v1/agents', {
    headers,
    body: {
      public_key: publicKey,
      issued_at: issuedAt,
      signature: sign(`svc-register:v1|${publicKey}|${issuedAt}`),
    },
  });
  if (reply.status !== 201) throw new Error(`registration answered ${reply.status}: ${reply.text}`);
  const key = reply.body.api_key as string;
  keepSecret('an API key', key);
  return {
    userId: reply.body.agent.user_id,
    username: reply.body.agent.username,
    publicKey,
    key,
    sign,
  };
}
