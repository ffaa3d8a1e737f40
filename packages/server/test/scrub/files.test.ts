// Runs without a database.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIdleScrub } from '../../src/acts/scrub/idle.ts';
import { beginScrub, planScrub, rewriteTable } from '../../src/acts/scrub/scrub.ts';
import { readRelation } from '../../src/acts/scrub/store.ts';
import { erase, lockEtch } from '../../src/acts/retract-store.ts';
import { vacuumErased } from '../../src/acts/vacuum.ts';
import type { Db, Tx } from '../../src/db/db.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPglite } from '../../src/db/pglite.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { indexQueued } from '../../src/search-index/index-store.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import { soakOnly } from '../../../../testing/database/once.ts';
import { findInFiles, outsideTheLog } from '../../../../testing/database/data-files.ts';
import { FORGETFUL, type PostgresServer, startPostgres } from '../../../../testing/database/postgres.ts';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { svcAdmin } from '../admin/support.ts';

/** Lower case, as in the search index. */
const CANARY = 'canaryq7x';
/** The numbers differ, so that compression leaves copies of the canary readable. */
const apart = (at: number): string => {
  let text = '';
  for (let n = at; text.length < 1900; n++) text += `${(n * 2654435761) % 4294967296} ${CANARY} `;
  return text.slice(0, 1990);
};

/** Lets the planner sample the texts before they are erased. */
async function writeAndErase(db: Db): Promise<string[]> {
  const etches = await makeEtches(db, 40);
  for (const [at, { id }] of etches.entries())
    await db.query(
      sql`update etch set content = ${at % 4 === 0 ? apart(at) : `${CANARY} number ${at}`} where id = ${id}`,
    );
  await db.query(sql`insert into search_queue (etch_ids) values (${etches.map(({ id }) => id)}::uuid[])`);
  await indexQueued(db);
  // An upgraded database may have sampled its columns before.
  await db.query(raw('alter table etch alter column content set statistics 100'));
  await db.query(raw('alter table etch_search alter column text set statistics 100'));
  await db.query(raw('drop statistics if exists nosy'));
  await db.query(raw('create statistics nosy on content, category_id from etch'));
  await db.query(raw('analyze'));
  await db.query(raw('checkpoint'));
  return etches.map(({ id }) => id);
}

async function eraseAll(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await db.tx(async (tx) =>
      erase(tx, (await lockEtch(tx, id))!, Date.parse('2026-05-06T07:08:09.000Z'), { hardened: [] }),
    );
  await vacuumErased(db);
  await db.query(raw('checkpoint'));
}

describe('the files of PostgreSQL', () => {
  let server: PostgresServer;
  let db: Db;
  beforeAll(async () => {
    server = await startPostgres({ settings: FORGETFUL });
    db = openPostgres({ url: server.url });
    await migrate(db);
  });
  afterAll(async () => {
    await db?.close();
    await server?.stop();
  });
  const scrub = (...args: string[]) =>
    svcAdmin(
      readConfig({ DATABASE_URL: server.url, SECRET_KEYS: 'ab'.repeat(32) }),
      'scrub',
      '--json',
      ...args,
    );

  test('contain a retracted text, and after a scrub only the write-ahead log does', async () => {
    const ids = await writeAndErase(db);
    expect(outsideTheLog(server.dataDir, CANARY).length).toBeGreaterThanOrEqual(3);
    await eraseAll(db, ids);
    expect(outsideTheLog(server.dataDir, CANARY).length).toBeGreaterThanOrEqual(2);

    const plan = await scrub('--plan');
    expect(plan.json.tables.map(({ table }: { table: string }) => table)).toEqual(
      expect.arrayContaining(['etch', 'etch_search', 'idempotency', 'account', 'pg_statistic']),
    );
    expect(outsideTheLog(server.dataDir, CANARY).length).toBeGreaterThanOrEqual(2);
    const done = await scrub();
    expect(done, done.out).toMatchObject({ status: 0 });
    expect(outsideTheLog(server.dataDir, CANARY)).toEqual([]);
    const dropped = [
      'samples of etch.content',
      'samples of etch_search.text',
      'extended statistics public.nosy',
    ];
    expect(done.json.statistics.dropped).toEqual(expect.arrayContaining(dropped));
    for (const { table, files, oldGone, done: isDone } of done.json.tables) {
      expect([isDone, oldGone], table).toEqual([true, true]);
      for (const { before, after } of files) expect(after).not.toBe(before);
    }
    const etch = done.json.tables.find(({ table }: { table: string }) => table === 'etch');
    expect(etch.files.length).toBeGreaterThan(6);
    expect(await db.query(sql`select 1 from etch where status = 'retracted'`)).toHaveLength(40);
  });

  const planned = (table: string) => ({ table, bytes: 1, lockMs: 1 });
  const inTransaction = async <T>(snapshot: boolean, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const other = openPostgres({ url: server.url });
    const hold = async (tx: Tx) => {
      await tx.query(raw('set local idle_in_transaction_session_timeout = 0'));
      return work(tx);
    };
    const answer = await other.tx(hold, { snapshot });
    await other.close();
    return answer;
  };

  test('skip a table that does not fit the window, cancel a rewrite that takes longer, and report a lock that timed out', async () => {
    const quick = openPostgres({ url: server.url, parameters: { lock_timeout: 10 } });
    // Wait for it: the transaction of a slow statement next to it can still see erased rows, and the scrub names that first.
    const locked = await inTransaction(false, async (tx) => {
      await tx.query(raw('lock table account_search in share mode'));
      return rewriteTable(quick, planned('account_search'), await beginScrub(db));
    });
    await quick.close();
    const problem = 'it is in constant use: the lock timed out, try again later';
    expect(locked).toMatchObject({ done: false, problem });
    await db.query(sql`
      insert into etch_search (etch_id, user_id, category_id, status, created_at, text)
      select gen_random_uuid(), gen_random_uuid(), 'ai', 'revealed', now(), repeat(md5(i::text), 20)
      from generate_series(1, 12000) i`);
    const plan = async (windowMs: number, freeBytes?: number) =>
      (await planScrub(db, { rate: { plain: 10_000, trigram: 10_000 }, windowMs, freeBytes })).filter(
        ({ skipped }) => skipped !== undefined,
      );
    const table = 'etch_search';
    const tooLong = expect.stringMatching(/^its lock may last .* s, the window is 2\.0 s$/);
    expect(await plan(2_000)).toMatchObject([{ table, skipped: tooLong }]);
    expect(await plan(600_000)).toEqual([]);
    const tooLarge = expect.stringMatching(/^it needs \d+ MB of the disk, 8 MB are free$/);
    expect(await plan(600_000, 2 ** 23)).toMatchObject([{ table, skipped: tooLarge }]);
    const hasty = openPostgres({ url: server.url, statementTimeout: 400 });
    const before = await readRelation(db, table);
    const given = await rewriteTable(hasty, planned(table), await beginScrub(db));
    await hasty.close();
    expect(given).toMatchObject({ done: false, problem: expect.stringContaining('longer than the window') });
    expect((await readRelation(db, table))!.files).toEqual(before!.files);
    await db.query(sql`truncate etch_search`);
  });

  soakOnly('end the command with status 1 if the lock of a table timed out', async () => {
    const held = await inTransaction(false, async (tx) => {
      await tx.query(raw('lock table account_search in share mode'));
      return scrub('--lock-wait', '1');
    });
    expect(held.status).toBe(1);
    const left = held.json.tables.filter(({ done }: { done: boolean }) => !done);
    expect(left).toMatchObject([{ table: 'account_search' }]);
  });

  test('report a transaction that can still see erased rows', async () => {
    const ids = (await makeEtches(db, 1)).map(({ id }) => id);
    const held = await inTransaction(true, async (tx) => {
      await tx.query(sql`select 1`);
      await eraseAll(db, ids);
      return rewriteTable(db, planned('etch'), await beginScrub(db, 0));
    });
    expect(held.problem).toMatch(/^erased rows may still be visible to the transaction of process \d+/);
    expect(await rewriteTable(db, planned('etch'), await beginScrub(db))).toMatchObject({ done: true });
  });
});

test('the folder of the embedded database is scrubbed with its log, once idle and again when stopped', async () => {
  const folder = newFolder('scrub');
  const config = readConfig({ DATA_DIR: folder });
  const dataDir = join(folder, 'database');
  const db = await openPglite({ dataDir });
  const messages: string[] = [];
  let idle = false;
  const log = { info: (_: object, message: string) => void messages.push(message), warn: () => undefined };
  const run = createIdleScrub({ db, isIdle: () => idle, log });
  try {
    await migrate(db);
    await eraseAll(db, await writeAndErase(db));
    const copy = newFolder('before');
    cpSync(dataDir, copy, { recursive: true, filter: (path) => !path.includes('lock.sock') });
    expect(outsideTheLog(copy, CANARY).length).toBeGreaterThanOrEqual(2);
    await run();
    expect(messages).toEqual([]);
    idle = true;
    for (let time = 0; time < 2; time++) {
      await run();
      expect(messages).toHaveLength(1);
      expect(findInFiles(dataDir, CANARY)).toEqual([]);
    }
    await eraseAll(db, await writeAndErase(db));
  } finally {
    await db.close();
  }
  expect(outsideTheLog(dataDir, CANARY).length).toBeGreaterThanOrEqual(2);
  const done = await svcAdmin(config, 'scrub', '--json');
  expect(done, done.out).toMatchObject({ status: 0 });
  expect(done.json.free_bytes).toBeGreaterThan(0);
  expect(findInFiles(folder, CANARY)).toEqual([]);
});
