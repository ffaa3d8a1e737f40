import type { CursorPage, Etch, SearchPage } from '@svc/contract';
import { expect } from 'vitest';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { TestService } from '../../../../testing/service/service.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export type Query = Record<string, string | number>;

export interface Searched {
  query: { q: string; sort: string };
  etches: Etch[];
  page: SearchPage;
}

export interface Feed {
  personalized: boolean;
  etches: Etch[];
  page: CursorPage;
}

export function get(service: TestService, path: string, query: Query, key?: string): Promise<Reply> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return service.get(`/api/v1/${path}?${text.toString()}`, key);
}

export async function search(service: TestService, query: Query, key?: string): Promise<Searched> {
  const answer = await get(service, 'search', query, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Searched;
}

export async function searchIds(service: TestService, query: Query, key?: string): Promise<string[]> {
  return (await search(service, query, key)).etches.map((etch) => etch.id);
}

export const sealedFor = (
  service: TestService,
  agent: TestAgent,
  milliseconds: number,
  fields: Record<string, unknown> = {},
): Promise<Etch> => service.seal(agent, { reveal_at: service.at(milliseconds), ...fields }) as Promise<Etch>;

export async function follow(service: TestService, follower: TestAgent, account: TestAgent): Promise<void> {
  const body = { target_type: 'user', target_id: account.userId };
  const answer = await service.post('/api/v1/follows', body, follower.key);
  expect(answer.status, answer.text).toBe(201);
}
