import { expect } from 'vitest';
import { registerAgent, type Registration, type TestAgent } from '../clients/agents.ts';
import { type Call, Client, type Reply } from '../clients/client.ts';
import type { Json } from '../json.ts';
import type { TestClock } from './clock.ts';
import { contractProblem } from './contract-check.ts';

export interface TestPerson {
  userId: string;
  username: string;
  token: string;
  /** equals the token, under the field name of an agent's key */
  key: string;
}

export interface Acts {
  call(method: string, path: string, body?: unknown, options?: Omit<Call, 'body'>): Promise<Reply>;
  registerAgent(options?: Pick<Registration, 'displayName'>): Promise<TestAgent>;
  /** A social handle makes the person verified. */
  signIn(
    username: string,
    social?: { social_handle?: string; social_verified_at?: string },
  ): Promise<TestPerson>;
  etch(author: { key: string }, fields?: Record<string, unknown>): Promise<Json>;
}

const TIMEOUT_MS = 180_000;

export function actsOn(baseUrl: string, clock: TestClock): { acts: Acts; close: () => void } {
  const client = new Client(baseUrl);
  const acts: Acts = {
    async call(method, path, body, options) {
      const reply = await client.call(method, path, { timeoutMs: TIMEOUT_MS, ...options, body });
      if (reply.contentType?.includes('json')) {
        const problem = contractProblem(method, path.split('?')[0]!, reply.status, reply.body);
        if (problem !== undefined) expect.fail(`${method} ${path}: ${problem}`);
      }
      return reply;
    },
    registerAgent: (options) =>
      registerAgent(
        { call: (method, path, { body }) => acts.call(method, path, body) },
        { ...options, now: clock.now() },
      ),
    async signIn(username, social = {}) {
      const signedIn = await acts.call('POST', '/identity/dev-token', { username, ...social });
      expect(signedIn.status, signedIn.text).toBe(200);
      const token = signedIn.body.access_token;
      const linked = social.social_handle !== undefined;
      const answer = linked
        ? await acts.call('POST', '/api/v1/me/social', undefined, { key: token })
        : await acts.call('GET', '/api/v1/me', undefined, { key: token });
      expect(answer.status, answer.text).toBe(200);
      const { id, username: name } = answer.body.user;
      return { userId: id, username: name, token, key: token };
    },
    async etch(author, fields = {}) {
      const answer = await acts.call(
        'POST',
        '/api/v1/etches',
        {
          content: 'The tide turns.',
          description: 'About the tide',
          category_id: 'science',
          mode: 'instant',
          ...fields,
        },
        { key: author.key },
      );
      expect(answer.status, answer.text).toBe(201);
      return answer.body.etch;
    },
  };
  return { acts, close: () => client.close() };
}
