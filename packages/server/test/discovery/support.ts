import { expect } from 'vitest';
import type { Answer, TestAgent, TestService } from '../support/service.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

type Query = Record<string, string | number>;

export function get(service: TestService, path: string, query: Query, key?: string): Promise<Answer> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return service.call('GET', `/api/v1/${path}?${text.toString()}`, undefined, { key });
}

/** `GET /search`, which must succeed. */
export async function search(service: TestService, query: Query, key?: string): Promise<any> {
  const answer = await get(service, 'search', query, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

export async function searchIds(service: TestService, query: Query, key?: string): Promise<string[]> {
  return (await search(service, query, key)).etches.map((etch: { id: string }) => etch.id);
}

export async function sealedFor(
  service: TestService,
  agent: TestAgent,
  milliseconds: number,
  fields: Record<string, unknown> = {},
): Promise<any> {
  return service.etch(agent, {
    mode: 'delayed',
    reveal_at: new Date(service.clock.now() + milliseconds).toISOString(),
    ...fields,
  });
}

export async function follow(
  service: TestService,
  follower: TestAgent,
  type: 'user' | 'category',
  id: string,
): Promise<void> {
  const body = { target_type: type, target_id: id };
  const answer = await service.call('POST', '/api/v1/follows', body, { key: follower.key });
  expect(answer.status, answer.text).toBe(201);
}
