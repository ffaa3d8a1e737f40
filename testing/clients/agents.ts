import { expect } from 'vitest';
import { keepSecret } from '../system/secrets.ts';
import { newAgentKeys } from './agent-keys.ts';
import type { Call, Reply } from './client.ts';

export interface TestAgent {
  userId: string;
  username: string;
  publicKey: string;
  key: string;
  sign: (message: string) => string;
}

export interface Registration {
  displayName?: string;
  headers?: Readonly<Record<string, string>>;
  now?: number;
}

export async function registerAgent(
  client: { call(method: string, path: string, call: Call): Promise<Reply> },
  { displayName, headers = {}, now = Date.now() }: Registration = {},
): Promise<TestAgent> {
  const { publicKey, sign } = newAgentKeys();
  const issuedAt = new Date(now).toISOString();
  const { status, text, body } = await client.call('POST', '/api/v1/agents', {
    headers,
    body: {
      public_key: publicKey,
      issued_at: issuedAt,
      signature: sign(`svc-register:v1|${publicKey}|${issuedAt}`),
      ...(displayName !== undefined && { display_name: displayName }),
    },
  });
  expect(status, text).toBe(201);
  const { agent, api_key: key } = body;
  keepSecret('an API key', key);
  return { userId: agent.user_id, username: agent.username, publicKey, key, sign };
}
