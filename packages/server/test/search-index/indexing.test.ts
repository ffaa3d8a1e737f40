// Runs on both databases.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { lockEtch, writeRetracted } from '../../src/acts/retract-store.ts';
import { indexQueued, indexRetracted, takeQueued } from '../../src/search-index/index-store.ts';
import { get, HOUR, search, sealedFor, type Searched } from '../discovery/support.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { rounds } from '../../../../testing/rounds.ts';
import { useService } from '../../../../testing/service/service.ts';
import { once } from '../../../../testing/database/once.ts';

const service = useService();
const ROUNDS = rounds(10, 30);
let agent: TestAgent;
beforeAll(async () => void (agent = await service.registerAgent()));

const queued = async (): Promise<number> =>
  (await service.db.query<{ n: number }>(sql`select count(*) as n from search_queue`))[0]!.n;

/** Retries if too many searches run, as the answer says. */
async function totalOf(q: string): Promise<number> {
  for (;;) {
    const answer = await get(service, 'search', { q });
    if (answer.status === 200) return (answer.body as Searched).page.total;
    expect(answer.status, answer.text).toBe(503);
  }
}

async function audit(): Promise<void> {
  const counts = sql`count(*)::integer as total, (count(*) filter (where status = 'sealed'))::integer as sealed,
    (count(*) filter (where status = 'revealed'))::integer as revealed, (count(*) filter (where status = 'retracted'))::integer as retracted`;
  const { db } = service;
  const byAuthor = await db.query(sql`
    select user_id, coalesce(category_id, '*') as category_id, ${counts} from etch
    group by grouping sets ((user_id, category_id), (user_id)) order by 1, 2`);
  const shown = sql`select user_id, category_id, total, sealed, revealed, retracted from account_count order by 1, 2`;
  expect(await db.query(shown)).toEqual(byAuthor);
  const byTopic = await db.query(sql`
    select category_id, count(*)::integer as total from etch group by category_id order by 1`);
  const topics = sql`select category_id, sealed + revealed + retracted as total from topic_count order by 1`;
  expect(await db.query(topics)).toEqual(byTopic);
  const wrong = await db.query(sql`
    select e.id from etch e full join etch_search s on s.etch_id = e.id
    where s.etch_id is null or e.id is null or e.status <> s.status or e.created_at <> s.created_at
      or (split_part(s.text, 'Z', 2) = '') <> (e.content is null)`);
  expect(wrong).toEqual([]);
}

describe('the search tables follow the etches', () => {
  test('an etch is queued in its transaction until it is indexed, once', async () => {
    await service.etch(agent, { content: 'queuedturnstone' });
    expect(await queued()).toBe(1);
    expect(await indexQueued(service.db)).toBe(1);
    expect(await queued()).toBe(0);
    expect(await indexQueued(service.db)).toBe(0);
    await audit();
  });

  test('indexing that fails halfway loses nothing and counts nothing twice', async () => {
    await service.etch(agent, { content: 'crashedturnstone' });
    const failing = service.db.tx(async (tx) => {
      expect(await takeQueued(tx, 500)).toHaveLength(1);
      throw new Error('the process ends here');
    });
    await expect(failing).rejects.toThrow('ends here');
    expect(await queued()).toBe(1);
    await indexQueued(service.db);
    await audit();
    expect((await search(service, { q: 'crashedturnstone' })).page.total).toBe(1);
  });

  test('an etch queued again stays unchanged and is counted once', async () => {
    const etch = await service.etch(agent, { content: 'doubledturnstone' });
    await service.db.query(sql`insert into search_queue (etch_ids) values (${[etch.id]}::uuid[])`);
    await indexQueued(service.db);
    await audit();
  });

  once('counts stay exact while several processes index, reveal, retract and search', async () => {
    const now = Date.now();
    service.clock.set(now);
    const etches = await Promise.all(
      Array.from({ length: 120 }, (_, n) => {
        const fields = { content: `ruff ${n}`, category_id: n % 2 ? 'crypto' : 'ai' };
        if (n % 3 !== 0) return service.etch(agent, fields);
        return sealedFor(service, agent, n % 2 ? 2 * HOUR : HOUR, fields);
      }),
    );
    service.clock.set(now + HOUR);
    const totals: number[] = [];
    await Promise.all([
      indexQueued(service.db),
      indexQueued(service.db, { wait: true }),
      service.runTask('reveal'),
      service.runTask('search'),
      ...etches.filter((_, n) => n % 4 === 0).map(({ id }) => service.retract(agent, id)),
      ...Array.from({ length: 20 }, async () => void totals.push(await totalOf('ruff'))),
      ...Array.from({ length: 20 }, (_, n) => service.etch(agent, { content: `late ruff ${n}` })),
    ]);
    await indexQueued(service.db);
    await audit();
    const open = etches.filter((_, n) => n % 4 !== 0 && (n % 3 !== 0 || n % 2 === 0)).length + 20;
    expect((await search(service, { q: 'ruff' })).page.total).toBe(open);
    expect(Math.max(...totals)).toBeLessThanOrEqual(120 + 20);
    service.clock.release();
  });
});

describe('no hidden text in the tables', () => {
  /** In the index of the search table, with the dead ones. */
  const rowsOf = (word: string): Promise<number> =>
    service.db.tx(async (tx) => {
      await tx.query(sql`set local enable_seqscan = off`);
      const rows = await tx.query<Record<string, string>>(
        sql`explain (analyze, costs off, timing off, summary off) select 1 from etch_search where text like ${`%${word}%`}`,
      );
      const plan = rows.map((row) => Object.values(row)[0]).join('\n');
      return Number(/Bitmap Index Scan on etch_search_text \(actual rows=(\d+)/.exec(plan)![1]);
    });

  test('a vacuum leaves no dead row in the search table and no trigram in its index', async () => {
    const open = await service.etch(agent, { content: 'xqzvacuumed' });
    await indexQueued(service.db);
    await service.retract(agent, open.id);
    await service.runTask('vacuum');
    expect(await rowsOf('xqzvacuumed')).toBe(0);
  });

  test('vacuums a retraction that was committed after a newer one', async () => {
    const [late, newer] = [await service.etch(agent, { content: 'xqzlate' }), await service.etch(agent)];
    await indexQueued(service.db);
    await service.retract(agent, newer.id);
    await service.runTask('vacuum');
    service.clock.advance(-5_000);
    await service.retract(agent, late.id);
    service.clock.release();
    expect(await rowsOf('xqzlate')).toBe(1);
    await service.runTask('vacuum');
    expect(await rowsOf('xqzlate')).toBe(0);
  });

  /** Leaves out the cost that slows down guesses of the text. */
  const eraseAt = (id: string, at: number): Promise<void> =>
    service.db.tx(async (tx) => {
      await lockEtch(tx, id);
      await writeRetracted(tx, id, new Date(at).toISOString(), null);
      await indexRetracted(tx, id);
    });

  once('no erased word stays in the index, for any order of retraction and indexing', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const etches = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          service.etch(agent, { content: `erasedknot${round}`, category_id: n % 2 ? 'crypto' : 'ai' }),
        ),
      );
      await Promise.all([
        indexQueued(service.db),
        ...etches.map(({ id }) => eraseAt(id, Date.now())),
        indexQueued(service.db, { wait: true }),
      ]);
      await indexQueued(service.db);
      const left = sql`select 1 from etch_search where text like '%erasedknot%'`;
      expect(await service.db.query(left)).toEqual([]);
    }
    await audit();
  });
});
