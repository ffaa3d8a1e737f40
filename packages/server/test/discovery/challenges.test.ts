import { beforeAll, expect, test } from 'vitest';
import { enter, openChallenge } from '../challenges/support.ts';
import { useService } from '../../../../testing/service/service.ts';
import { get, HOUR, type Query } from './support.ts';

const service = useService();
const ids: Record<string, string> = {};

beforeAll(async () => {
  service.clock.set('2026-03-01T12:00:00.000Z');
  const agent = await service.registerAgent();
  for (const [name, question, hours] of [
    ['twice', 'Does the auk return, or a second auk?', 3],
    ['soon', 'When does the AUK return?', 1],
    ['sports', 'Which auk wins 100% of races?', 2],
    ['other', 'Will it rain?', 4],
  ] as const) {
    service.clock.advance(1_000);
    const fields = { reveal_at: service.at(hours * HOUR), category_id: name === 'sports' ? name : 'science' };
    ids[name] = (await openChallenge(service, agent, { question, ...fields })).id;
  }
  await enter(service, agent, ids['other']!);
  await enter(service, agent, ids['sports']!);
});

async function find(query: Query): Promise<string[]> {
  const answer = await get(service, 'search/challenges', query);
  expect(answer.status, answer.text).toBe(200);
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return answer.body.challenges.map((challenge: { id: string }) => names.get(challenge.id));
}

test('finds the query literally, ranks by occurrences, then newest first', async () => {
  for (const [q, ...found] of [
    ['auk', 'twice', 'sports', 'soon'],
    ['@auk', 'twice', 'sports', 'soon'],
    ['100%', 'sports'],
    ['1%0'],
    ['x'.repeat(9_000)],
  ] as [string, ...string[]][])
    expect(await find({ q })).toEqual(found);
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
  ] as [Query, ...string[]][])
    expect(await find(query)).toEqual(found);
  expect((await get(service, 'search/challenges', { page: 'x' })).status).toBe(400);
});

test('filters open and closed challenges by the clock', async () => {
  service.clock.advance(HOUR);
  for (const sort of ['best', 'most'])
    expect(await find({ q: 'auk', status: 'closed', sort })).toEqual(['soon']);
  expect(await find({ q: 'auk', status: 'open' })).toEqual(['twice', 'sports']);
});
