import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { FEW, findEtchIds } from '../../src/discovery/find-etches.ts';
import { createKnownTotals } from '../../src/discovery/search-db.ts';
import { type EtchFilter, NO_FILTER, toSearchTerm } from '../../src/discovery/search-store.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { follow, HOUR, type Query, search, sealedFor } from './support.ts';

const service = useService();
const agents: TestAgent[] = [];
const made: { id: string; user: string; category: string; status: string }[] = [];
const TOPICS = ['crypto', 'sports', 'ai'];

beforeAll(async () => {
  service.clock.set('2026-03-01T12:00:00.000Z');
  for (let n = 0; n < 3; n++) agents.push(await service.registerAgent());
  for (let n = 0; n < 45; n++) {
    const agent = agents[n % 3]!;
    const fields = { category_id: TOPICS[n % 2]!, description: `Entry ${n}`, content: 'paged' };
    // Several share a millisecond, so ids decide their order.
    if (n % 4 === 0) service.clock.advance(1);
    const etch =
      n % 5 === 0 ? await sealedFor(service, agent, HOUR, fields) : await service.etch(agent, fields);
    if (n % 7 === 3) await service.retract(agent, etch.id);
    const status = n % 7 === 3 ? 'retracted' : n % 5 === 0 ? 'sealed' : 'revealed';
    made.push({ id: etch.id, user: agent.userId, category: fields.category_id, status });
  }
});

async function allPages(query: Query, key?: string): Promise<string[]> {
  const ids: string[] = [];
  let total: number | undefined;
  for (let page = 1; ; page++) {
    const answer = await search(service, { ...query, page }, key);
    total ??= answer.page.total;
    const { limit } = answer.page;
    const pages = Math.max(1, Math.ceil(total / limit));
    expect(answer.page).toEqual({ number: page, pages, total, limit });
    if (answer.etches.length === 0) {
      expect(ids).toHaveLength(total);
      expect(page).toBeGreaterThan(total === 0 ? 0 : answer.page.pages);
      return ids;
    }
    ids.push(...answer.etches.map((etch: { id: string }) => etch.id));
  }
}

describe('returns every page once, with an exact total', () => {
  const idsOf = (wanted: (etch: (typeof made)[number]) => boolean) =>
    made
      .filter(wanted)
      .map(({ id }) => id)
      .sort();
  const queries: [Query, (etch: (typeof made)[number]) => boolean][] = [
    [{}, () => true],
    [{ category: 'crypto' }, (etch) => etch.category === 'crypto'],
    [{ category: 'crypto,sports' }, () => true],
    [{ category: 'ai' }, () => false],
    [{ status: 'sealed' }, (etch) => etch.status === 'sealed'],
    [
      { status: 'revealed,retracted', category: 'sports' },
      (etch) => etch.status !== 'sealed' && etch.category === 'sports',
    ],
    [{ q: 'entry' }, () => true],
    [{ q: 'entry', status: 'retracted' }, (etch) => etch.status === 'retracted'],
    [{ q: 'paged' }, (etch) => etch.status === 'revealed'],
    [{ q: 'entry', category: 'sports' }, (etch) => etch.category === 'sports'],
    [{ q: 'nowhere' }, () => false],
  ];
  test.each(queries)('%o', async (query, wanted) => {
    const expected = idsOf(wanted);
    const newest = await allPages({ ...query, sort: 'newest', limit: 7 });
    const oldest = await allPages({ ...query, sort: 'oldest', limit: 7 });
    const order = await service.db.query<{ id: string }>(sql`select id from etch order by created_at, id`);
    expect(oldest).toEqual(order.map(({ id }) => id).filter((id) => expected.includes(id)));
    expect([...oldest].reverse()).toEqual(newest);
    expect((await allPages({ ...query, limit: 4 })).sort()).toEqual(expected);
  });

  test('following one and two accounts', async () => {
    const reader = await service.registerAgent();
    await follow(service, reader, agents[0]!);
    const ofOne = await allPages({ following: 1, limit: 7 }, reader.key);
    expect(ofOne.sort()).toEqual(idsOf(({ user }) => user === agents[0]!.userId));
    await follow(service, reader, agents[1]!);
    const ofTwo = await allPages({ following: 1, limit: 3, category: 'crypto', sort: 'oldest' }, reader.key);
    expect(ofTwo.sort()).toEqual(
      idsOf(({ user, category }) => user !== agents[2]!.userId && category === 'crypto'),
    );
  });

  test('a page far beyond the last is empty and has the total', async () => {
    for (const query of [{}, { category: 'crypto' }, { q: 'entry' }]) {
      const answer = await search(service, { ...query, page: 999_999_999, limit: 100 });
      expect(answer.etches).toEqual([]);
      expect(answer.page.total).toBeGreaterThan(0);
    }
  });
});

describe('more matches than are gathered at once', () => {
  const count = FEW + 700;

  beforeAll(async () => {
    await service.db.query(sql`
      insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, revealed_at, content, salt)
      select md5('many' || n)::uuid, ${agents[0]!.userId}, 'm' || translate(lpad(n::text, 5, '0'), '01', 'ab'), 'instant', 'revealed', sha256(n::text::bytea),
        case when n % 500 = 0 then 'Dunlin described' else 'Many' end, 'other', timestamptz '2026-02-01' + n * interval '1 second', timestamptz '2026-02-01' + n * interval '1 second',
        repeat('dunlin ', 1 + n % 3), sha256(n::text::bytea)
      from generate_series(1, ${count}::integer) n`);
    await service.db.query(
      sql`insert into search_queue (etch_ids) select array_agg(id) from etch where code like 'm%' group by ascii(right(code, 1))`,
    );
    await service.runTask('search');
  });

  const page = (query: Query) => search(service, { q: 'dunlin', limit: 50, ...query });
  const numbers = (etches: { created_at: string | null }[]): number[] =>
    etches.map((etch) => (Date.parse(etch.created_at!) - Date.parse('2026-02-01T00:00:00.000Z')) / 1_000);
  const down = (from: number, length: number): number[] => Array.from({ length }, (_, index) => from - index);

  test('newest and oldest: exact totals on first, deep and last pages', async () => {
    for (const [number, first] of [
      [1, count],
      [57, count - 2_800],
      [114, count - 5_650],
    ] as const) {
      const answer = await page({ sort: 'newest', page: number });
      expect(answer.page).toEqual({ number, pages: 114, total: count, limit: 50 });
      expect(numbers(answer.etches)).toEqual(down(first, 50));
    }
    expect(numbers((await page({ sort: 'oldest' })).etches)).toEqual(down(50, 50).reverse());
    expect(numbers((await page({ sort: 'oldest', page: 114 })).etches)).toEqual(down(count, 50).reverse());
    expect((await page({ sort: 'newest', page: 115 })).etches).toEqual([]);
    const none = { etches: [], page: { total: 0 } };
    expect(await page({ sort: 'newest', status: 'sealed' })).toMatchObject(none);
  });

  test('best: matching descriptions first, then by occurrences, then newest first', async () => {
    const rank = (n: number): number => (n % 500 === 0 ? 100 : 0) + (n % 3);
    const expected = down(count, count).sort((a, b) => rank(b) - rank(a) || b - a);
    for (const number of [1, 2, 60, 114]) {
      const answer = await page({ page: number });
      expect(answer.page.total).toBe(count);
      expect(numbers(answer.etches)).toEqual(expected.slice((number - 1) * 50, number * 50));
    }
    expect((await page({ page: 200 })).etches).toEqual([]);
  });

  test('a known total does not change the answer', async () => {
    const term = toSearchTerm('dunlin');
    const filter = { ...NO_FILTER, term, categories: ['other'] };
    for (const sort of ['best', 'newest', 'oldest'] as const) {
      for (const offset of [0, 40, 2_850, 5_600, 5_695, 5_700, 90_000]) {
        const [unknown, few, many] = await Promise.all(
          [undefined, 10, 1_000_000].map((guess) =>
            findEtchIds(service.db, filter, sort, { offset, limit: 50 }, { get: () => guess, set: () => {} }),
          ),
        );
        expect(unknown!.total).toBe(count);
        expect(unknown!.ids).toHaveLength(Math.max(0, Math.min(50, count - offset)));
        expect(few).toEqual(unknown);
        expect(many).toEqual(unknown);
      }
    }
  });

  test('a filter that the stored counts lack is counted', async () => {
    const find = (filter: EtchFilter) =>
      findEtchIds(service.db, filter, 'newest', { offset: 0, limit: 50 }, createKnownTotals());
    const stored = await find(NO_FILTER);
    await service.db.query(sql`update topic_count set revealed = revealed + 1 where category_id = 'other'`);
    expect((await find(NO_FILTER)).total).toBe(stored.total + 1);
    expect(await find({ ...NO_FILTER, moods: ['calm'] } as EtchFilter)).toEqual(stored);
    await service.db.query(sql`update topic_count set revealed = revealed - 1 where category_id = 'other'`);
  });

  test('accounts are summed over all matches', async () => {
    const answer = await service.get('/api/v1/search/accounts?q=dunlin');
    expect(answer.body.accounts).toMatchObject([{ user_id: agents[0]!.userId, match_count: count }]);
  });
});
