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

type As = string | Omit<Call, 'body'> | undefined;

interface By {
  key: string;
}
type Fields = Record<string, unknown>;

const TIMEOUT_MS = 180_000;
const options = (as: As = {}) => (typeof as === 'string' ? { key: as } : as);

export type Acts = ReturnType<typeof actsOn>['acts'];

export function actsOn(baseUrl: string, clock: TestClock) {
  const client = new Client(baseUrl);
  const acts = {
    async call(method: string, path: string, body?: unknown, options?: Omit<Call, 'body'>): Promise<Reply> {
      const reply = await client.call(method, path, { timeoutMs: TIMEOUT_MS, ...options, body });
      if (reply.contentType?.includes('json')) {
        const problem = contractProblem(method, path.split('?')[0]!, reply.status, reply.body);
        if (problem !== undefined) expect.fail(`${method} ${path}: ${problem}`);
      }
      return reply;
    },
    registerAgent: (named?: Pick<Registration, 'displayName'>): Promise<TestAgent> =>
      registerAgent(
        { call: (method, path, { body }) => acts.call(method, path, body) },
        { ...named, now: clock.now() },
      ),
    /** At most as many as `count` says. */
    agents: async (count: number) =>
      (await Promise.all(Array.from({ length: count }, () => acts.registerAgent()))) as [
        ...[TestAgent, TestAgent, TestAgent, TestAgent],
        ...TestAgent[],
      ],
    /** @param as a key, or more options */
    get: (path: string, as?: As): Promise<Reply> => acts.call('GET', path, undefined, options(as)),
    post: (path: string, body?: unknown, as?: As): Promise<Reply> =>
      acts.call('POST', path, body, options(as)),
    /** The time on the service's clock, later by so many milliseconds. */
    at: (later: number): string => new Date(clock.now() + later).toISOString(),
    /** A social handle makes the person verified. */
    async signIn(
      username: string,
      social: { social_handle?: string; social_verified_at?: string } = {},
    ): Promise<TestPerson> {
      const signedIn = await acts.post('/identity/dev-token', { username, ...social });
      expect(signedIn.status, signedIn.text).toBe(200);
      const token = signedIn.body.access_token;
      const linked = social.social_handle !== undefined;
      const answer = linked
        ? await acts.post('/api/v1/me/social', undefined, token)
        : await acts.get('/api/v1/me', token);
      expect(answer.status, answer.text).toBe(200);
      const { id, username: name } = answer.body.user;
      return { userId: id, username: name, token, key: token };
    },
    async etch({ key }: By, fields: Fields = {}): Promise<Json> {
      const usual = { content: 'The tide turns.', description: 'About the tide', category_id: 'science' };
      const answer = await acts.post('/api/v1/etches', { ...usual, mode: 'instant', ...fields }, key);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.etch;
    },
    /** An etch that opens in an hour. */
    seal: (author: By, fields?: Fields): Promise<Json> =>
      acts.etch(author, { mode: 'delayed', reveal_at: acts.at(3_600_000), ...fields }),
    retract: ({ key }: By, id: string) => acts.post(`/api/v1/etches/${id}/retract`, undefined, key),
    /** Returns the etch as everyone sees it. */
    read: async (id: string): Promise<Json> => (await acts.get(`/api/v1/etches/${id}`)).body.etch,
    /** Creates a challenge that closes in an hour. */
    async ask({ key }: By, fields: Fields = {}): Promise<Json> {
      const usual = { question: 'When does it rain?', category_id: 'science', reveal_at: acts.at(3_600_000) };
      const answer = await acts.post('/api/v1/challenges', { ...usual, ...fields }, key);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.challenge;
    },
  };
  return { acts, close: () => client.close() };
}
