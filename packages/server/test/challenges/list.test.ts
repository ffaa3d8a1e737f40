import { TOPIC_IDS } from '@svc/contract';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { at, enter, MINUTE, NOON, openChallenge } from './support.ts';

const service = useService({ settings: { LIMIT_CHALLENGES_PER_DAY: '1000' } });

const list = async (query = '') => {
  const answer = await service.get(`/api/v1/challenges${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const questions = async (query = ''): Promise<string> =>
  (await list(query)).challenges.map((item: { question: string }) => item.question).join(' ');

// Times are minutes from noon.
const PLAN = [
  { question: 'a', opened: 0, closes: 60, category_id: 'ai', entries: 1 },
  { question: 'b', opened: 1, closes: 40, category_id: 'sports', entries: 3 },
  { question: 'c', opened: 2, closes: 10, category_id: 'ai', entries: 2 },
  { question: 'd', opened: 3, closes: 20, category_id: 'tech', entries: 0 },
  { question: 'e', opened: 4, closes: 80, category_id: 'sports', entries: 4 },
];

describe('the list of challenges', () => {
  beforeAll(async () => {
    const agents = await service.agents(4);
    for (const { opened, closes, entries, ...fields } of PLAN) {
      service.clock.set(NOON + opened * MINUTE);
      const reveal_at = at(NOON + closes * MINUTE);
      const challenge = await openChallenge(service, agents[0], { ...fields, reveal_at });
      for (const agent of agents.slice(0, entries)) await enter(service, agent, challenge.id);
    }
    service.clock.set(NOON + 10 * MINUTE);
  });
  afterAll(() => service.clock.release());

  test.each([
    ['', 'd b a e'],
    ['?sort=newest', 'e d b a'],
    ['?sort=oldest', 'a b d e'],
    ['?sort=most', 'e b a d'],
    ['?sort=least', 'd a b e'],
    ['?status=closed', 'c'],
    ['?status=all', 'd b a e c'],
    ['?status=all&sort=newest', 'e d c b a'],
    ['?status=all&sort=oldest', 'a b c d e'],
    ['?status=all&sort=most', 'e b c a d'],
    ['?status=all&sort=least', 'd a c b e'],
    ['?category=ai', 'a'],
    ['?category=ai&status=all', 'a c'],
    ['?category=sports,tech', 'd b e'],
    ['?category=sports,tech&sort=most', 'e b d'],
    ['?category=personal', ''],
  ])('%s', async (query, expected) => {
    expect(await questions(query)).toBe(expected);
    const total = expected.split(' ').filter(Boolean).length;
    expect((await list(query)).page).toEqual({ number: 1, pages: 1, total });
  });

  test('uses defaults for unknown values and returns the values that it used', async () => {
    const standard = await list();
    expect(standard.query).toEqual({ status: 'open', sort: 'soonest', categories: [] });
    const unknown = `status=sealed&sort=best&category=gossip&page=first status=&sort=&category=&page= page=0
      page=-1 page=1.5 page=1e1 page=99999999999999999999 status=OPEN&extra=1`;
    for (const query of unknown.split(/\s+/)) expect(await list(`?${query}`), query).toEqual(standard);
    const { query } = await list('?category=gossip,ai,ai,%20sports&status=all');
    expect(query).toEqual({ status: 'all', sort: 'soonest', categories: ['ai', 'sports'] });
    expect((await service.get('/api/v1/challenges?sort=most&sort=least')).status).toBe(400);
  });

  test('moves a challenge from open to closed by the clock alone', async () => {
    service.clock.set(NOON + 20 * MINUTE - 1);
    expect(await questions('?status=closed')).toBe('c');
    service.clock.set(NOON + 20 * MINUTE);
    for (const [status, found] of [
      ['open', 'b a e'],
      ['closed', 'd c'],
      ['all', 'b a e d c'],
    ])
      expect(await questions(`?status=${status}`)).toBe(found);
    service.clock.set(NOON + 10 * MINUTE);
  });
});

describe('a long list', () => {
  const long = useService();

  beforeAll(async () => {
    const { userId } = await long.registerAgent();
    await long.db.query(sql`
      insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
      select gen_random_uuid(), 'code' || n, 'question ' || n, (${[...TOPIC_IDS]}::text[])[n % 11 + 1], ${userId},
        ${at(NOON)}::timestamptz - make_interval(hours => 200 - n / 2),
        ${at(NOON)}::timestamptz + make_interval(hours => case when n <= 70 then -(n / 3) else n / 3 end)
      from generate_series(1, 105) as n`);
    await long.db.query(sql`
      insert into challenge_tally (id, category_id, created_at, reveal_at, etch_count)
      select id, category_id, created_at, reveal_at, ascii(code) % 5 from challenge`);
    long.clock.set(NOON);
  });

  test.each(['soonest', 'newest', 'oldest', 'most', 'least'])(
    'by %s has pages of 30 without repeats or gaps',
    async (sort) => {
      for (const [status, total] of [
        ['open', 35],
        ['closed', 70],
        ['all', 105],
      ] as const) {
        const pages = Math.ceil(total / 30);
        const items: { id: string; closed: boolean }[] = [];
        for (let number = 1; number <= pages; number++) {
          const { body } = await long.get(`/api/v1/challenges?status=${status}&sort=${sort}&page=${number}`);
          expect(body.page).toEqual({ number, pages, total });
          expect(body.challenges).toHaveLength(Math.min(30, total - items.length));
          items.push(...body.challenges);
        }
        expect(new Set(items.map(({ id }) => id)).size).toBe(total);
        if (sort === 'soonest')
          expect(items.findIndex(({ closed }) => closed)).toBe(
            status === 'all' ? 35 : status === 'open' ? -1 : 0,
          );
      }
    },
  );

  test('is empty after its last page', async () => {
    for (const number of [3, 1_000, 999_999_999]) {
      const { body } = await long.get(`/api/v1/challenges?page=${number}`);
      expect(body.challenges).toEqual([]);
      expect(body.page).toEqual({ number, pages: 2, total: 35 });
    }
  });
});
