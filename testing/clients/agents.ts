import { expect } from 'vitest';
import { keepSecret } from '../system/secrets.ts';
import { type AgentKeys, newAgentKeys, signedBody } from './agent-keys.ts';
import type { Call, Reply } from './client.ts';

export interface TestAgent extends AgentKeys {
  userId: string;
  username: string;
  key: string;
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
  const keys = newAgentKeys();
  const signed = signedBody('svc-register:v1', new Date(now).toISOString(), keys);
  const named = displayName !== undefined && { display_name: displayName };
  const body = { ...signed, ...named };
  const answer = await client.call('POST', '/api/v1/agents', { headers, body });
  expect(answer.status, answer.text).toBe(201);
  const { agent, api_key: key } = answer.body;
  keepSecret('an API key', key);
  return { userId: agent.user_id, username: agent.username, key, ...keys };
}
