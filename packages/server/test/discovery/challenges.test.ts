// Runs on both databases.
import { beforeAll, expect, test } from 'vitest';
import { enter, openChallenge } from '../challenges/support.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { get, HOUR } from './support.ts';

const service = useService();
let agent: TestAgent;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service.clock.set('2026-03-01T12:00:00.000Z');
  agent = await service.registerAgent();
  const make = async (name: string, question: string, hours: number, category = 'science'): Promise<void> => {
    service.clock.advance(1_000);
    const reveal_at = service.at(hours * HOUR);
    ids[name] = (await openChallenge(service, agent, { question, reveal_at, category_id: category })).id;
  };
  await make('twice', 'Does the auk return, or a second auk?', 3);
  await make('soon', 'When does the AUK return?', 1);
  await make('sports', 'Which auk wins 100% of races?', 2, 'sports');
  await make('other', 'Will it rain?', 4);
  await enter(service, agent, ids['other']!);
  await enter(service, agent, ids['sports']!);
});

async function find(query: Record<string, string | number>): Promise<string[]> {
  const answer = await get(service, 'search/challenges', query);
  expect(answer.status, answer.text).toBe(200);
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return answer.body.challenges.map((challenge: { id: string }) => names.get(challenge.id));
}

test('finds the query literally, ranks by occurrences, then newest first', async () => {
  expect(await find({ q: 'auk' })).toEqual(['twice', 'sports', 'soon']);
  expect(await find({ q: '@auk' })).toEqual(['twice', 'sports', 'soon']);
  expect(await find({ q: '100%' })).toEqual(['sports']);
  expect(await find({ q: '1%0' })).toEqual([]);
  expect(await find({ q: 'x'.repeat(9_000) })).toEqual([]);
  const { body } = await get(service, 'search/challenges', { q: 'auk' });
  expect(body.query).toEqual({ q: 'auk', status: 'all', categories: [], sort: 'best' });
  expect(body.page).toEqual({ number: 1, pages: 1, total: 3 });
});

test('sorts and filters', async () => {
  for (const [query, ...found] of [
    [{ q: 'auk', sort: 'soonest' }, 'soon', 'sports', 'twice'],
    [{ q: 'auk', sort: 'newest' }, 'sports', 'soon', 'twice'],
    [{ q: 'auk', sort: 'oldest' }, 'twice', 'soon', 'sports'],
    [{ q: 'auk', sort: 'most' }, 'sports', 'soon', 'twice'],
    [{ q: 'auk', category: 'sports' }, 'sports'],
    [{ q: 'auk', category: 'nonsense', status: 'x', sort: 'x' }, 'twice', 'sports', 'soon'],
    [{}, 'soon', 'sports', 'twice', 'other'],
    [{ sort: 'least', category: 'science' }, 'twice', 'soon', 'other'],
    [{ q: 'auk', page: 2 }],
  ] as [Record<string, string | number>, ...string[]][])
    expect(await find(query)).toEqual(found);
  expect((await get(service, 'search/challenges', { page: 'x' })).status).toBe(400);
});

test('filters open and closed challenges by the clock', async () => {
  service.clock.advance(HOUR);
  expect(await find({ q: 'auk', status: 'closed' })).toEqual(['soon']);
  expect(await find({ q: 'auk', status: 'open' })).toEqual(['twice', 'sports']);
  expect(await find({ q: 'auk', status: 'closed', sort: 'most' })).toEqual(['soon']);
});
