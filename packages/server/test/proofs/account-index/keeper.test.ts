import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { makeEtches, retract } from '../../../../../testing/anchoring/etches.ts';
import { useAnchoring } from '../../../../../testing/anchoring/ground.ts';
import { remember } from '../../../../../testing/database/older.ts';
import { useDatabase } from '../../../../../testing/database/test-database.ts';
import { auditIndex, indexKeeper, logTree } from '../../../../../testing/log/index-of-log.ts';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { rounds } from '../../../../../testing/rounds.ts';
import type { Db, Tx } from '../../../src/db/db.ts';
import { createKeyring } from '../../../src/platform/secrets/keyring.ts';
import { answerIndex } from '../../../src/proofs/account-index/index-answer.ts';
import type { IndexKeeper } from '../../../src/proofs/account-index/index-keeper.ts';
import {
  heldIndex,
  lastIndexEntry,
  readState,
  resetIndex,
} from '../../../src/proofs/account-index/index-store.ts';
import { createReadMaps } from '../../../src/proofs/account-index/read-maps.ts';
import { latestCheckpoint } from '../../../src/proofs/log/checkpoints.ts';
import { dropTrees, logSize } from '../../../src/proofs/log/entries.ts';
import { createTreeLog } from '../../../src/proofs/log/tree-log.ts';
import { createLogPublisher } from '../../../src/proofs/log/witnessed-log.ts';

const ground = useAnchoring({ perTest: true });
const db = useDatabase({ perTest: true });
const treeLog = createTreeLog(createKeyring([randomBytes(32)]), 'https://etch.example');
const { origin } = treeLog;
let folder: string;
let errors: string[];
beforeEach(() => {
  folder = newFolder('ledgers');
  errors = [];
});

const log = { warn: () => undefined, error: (_: object, message: string) => void errors.push(message) };
const keeper = (of: Db = db) => indexKeeper(of, { folder, log });
/** A keeper of a version before the index. */
const without: Pick<IndexKeeper, 'extend'> = { extend: async () => Infinity };

/** @returns the size of the newest checkpoint */
async function publish(index: Pick<IndexKeeper, 'extend'> = keeper(), of: Db = db): Promise<number> {
  const options = { db: of, treeLog, index, now: () => Date.now(), policy: undefined, log, ledgers: folder };
  await createLogPublisher(options)();
  return (await latestCheckpoint(db, origin))?.size ?? 0;
}
async function anchor(count = 2, userId?: string) {
  const etches = await makeEtches(db, count, userId === undefined ? {} : { userId });
  await ground.drain(db);
  return etches;
}
const read = (userId: string, from = 0, of: IndexKeeper = keeper(), standby?: Db): Promise<any> =>
  answerIndex(
    { db, standby: standby && { db: standby, status: () => ({}) }, origin, maps: createReadMaps(of) },
    userId,
    from,
  );

test('an existing log gets its first index entry with the next tree, over all earlier ones', async () => {
  const [etch] = await anchor(3);
  await anchor();
  await retract(db, [etch!]);
  await ground.drain(db);
  expect(await publish(without)).toBe(3);
  const upgraded = keeper();
  expect(await publish(upgraded)).toBe(3);
  expect(await auditIndex(db)).toBe('ttt');
  await expect(read(etch!.userId)).rejects.toThrow('no index of accounts yet');
  await anchor();
  expect(await publish(upgraded)).toBe(5);
  expect(await auditIndex(db)).toBe('ttti'.replace('i', 'ti'));
  const { count } = await read(etch!.userId);
  expect(count).toBe(4);
});

test('a new process and a new leader continue the index', async () => {
  const userId = await logTree(db, 2);
  const [one, two] = [keeper(), keeper()];
  for (const leader of [one, two, one, one, two]) {
    await logTree(db, 2, userId);
    await publish(leader);
    await publish(keeper());
  }
  expect(await auditIndex(db)).toBe('ti'.repeat(6));
  expect(await readState(db)).toMatchObject({ covered: 12 });
  for (const of of [one, two, keeper()]) expect((await read(userId, 0, of)).count).toBe(12);
});

test('two leaders at once append each index entry once', async () => {
  const [one, two] = [keeper(), keeper()];
  for (let trees = 0; trees < rounds(3, 20); trees++) {
    await logTree(db, 2);
    await Promise.allSettled([publish(one), publish(two)]);
  }
  await publish();
  expect(await auditIndex(db)).toBe('ti'.repeat(rounds(3, 20)));
});

class Killed extends Error {}
/** Ends at this statement of a transaction, or between two of them. */
function ending(at: number): { db: Db; ended: () => boolean } {
  let left = at;
  const step = () => {
    if (left-- <= 0) throw new Killed('it ended');
  };
  const inside = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, name) {
        const found = Reflect.get(target, name) as unknown;
        if (typeof found !== 'function' || name === 'rollback') return found;
        return (...args: unknown[]) => {
          step();
          return (found as (...given: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  return {
    db: {
      ...db,
      async tx(work, options) {
        step();
        const done = await db.tx((tx) => work(inside(tx)), options);
        step();
        return done;
      },
    },
    ended: () => left < 0,
  };
}

test('a leader that ends at any statement publishes no other root', async () => {
  const userId = await logTree(db, 1);
  await publish();
  let ends = 0;
  for (let at = 0; ; at++) {
    await logTree(db, 1, userId);
    const { db: killed, ended } = ending(at);
    const index = indexKeeper(killed, { folder, log });
    await publish(index, killed).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
    await publish();
    const form = await auditIndex(db);
    expect(form).toMatch(/^(?:ti)+$/);
    expect((await latestCheckpoint(db, origin))!.size).toBe(form.length);
    if (!ended()) break;
    ends++;
  }
  expect(ends).toBeGreaterThan(8);
  expect((await read(userId)).count).toBe(ends + 2);
});

test('a tree that was given up and repeated gives two entries, if it stays in the log', async () => {
  await db.query(
    sql`insert into log_witness (origin, witness, size, due_at) values (${origin}, 'w', 0, now())`,
  );
  const [etch] = await makeEtches(db, 1);
  await ground.drain(db, { chain: ground.robbed() });
  await publish();
  expect(await auditIndex(db)).toBe('titi');
  const { entries } = await read(etch!.userId);
  const hash = etch!.hash.toString('hex');
  expect(entries).toEqual([`${'0'.repeat(16)}00${hash}`, `${'0'.repeat(15)}200${hash}`]);
});

test('a tree that leaves the log before a checkpoint takes its index entry along', async () => {
  const userId = await logTree(db, 2);
  await logTree(db, 2, userId);
  await logTree(db, 2, userId);
  const index = keeper();
  await index.extend(3);
  expect(await auditIndex(db)).toBe('tititi');
  await db.tx((tx) => dropTrees(tx, sql`select batch_id from log_entry where index = 2`));
  expect(await logSize(db)).toBe(3);
  await publish(index);
  expect(await auditIndex(db)).toBe('titi');
  expect(await readState(db)).toEqual({ covered: 4, generation: 1 });
});

test('damaged rows are computed again', async () => {
  const userId = await logTree(db, 2);
  await publish();
  await db.query(sql`update account_index set count = count + 1`);
  await logTree(db, 2);
  await publish();
  expect(errors).toEqual([expect.stringContaining('damaged')]);
  expect(await auditIndex(db)).toBe('titi');
  expect((await read(userId)).count).toBe(2);
});

test('a wrong index entry ends the index, checkpoints go on, and a corrected one continues it', async () => {
  await logTree(db, 2);
  await publish();
  const right = (await lastIndexEntry(db))!;
  const wrong = Buffer.concat([randomBytes(32), right.data.subarray(32)]);
  const store = (data: Buffer) => db.query(sql`update log_entry set data = ${data} where index = 1`);
  await db.tx((tx) => resetIndex(tx, 0));
  await store(wrong);
  await logTree(db, 1);
  const leader = keeper();
  expect(await publish(leader)).toBe(3);
  expect(errors).toEqual([expect.stringContaining('its entry 1 of the log of trees does not have the root')]);
  expect(errors[0]).toContain('docs/operating/recovery.md#a-wrong-index-entry');
  expect(await heldIndex(db)).toBe(errors[0]);
  await publish(leader);
  expect(errors).toHaveLength(1);
  await store(right.data);
  await logTree(db, 1);
  await publish(leader);
  expect(await heldIndex(db)).toBeNull();
});

test('an answer says when to try again while the index is computed or read', async () => {
  const userId = await logTree(db, 2);
  await publish();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const slow: Db = {
    ...db,
    async query(statement) {
      if (statement.text.includes('from account_index ')) await released;
      return db.query(statement);
    },
  };
  const maps = createReadMaps(keeper());
  const reads = (from: Db) => answerIndex({ db: from, standby: undefined, origin, maps }, userId, 0);
  await expect(reads(slow)).rejects.toMatchObject({
    code: 'service_unavailable',
    message: 'the index of accounts is being read into memory: try again in 10 seconds',
    retryAfter: 10,
  });
  release();
  expect(await reads(db)).toMatchObject({ count: 2 });
  await db.tx((tx) => resetIndex(tx, 0));
  await expect(read(userId)).rejects.toMatchObject({
    message: 'the index of accounts is being computed again from the trees: try again in 30 seconds',
    retryAfter: 30,
  });
});

test('the rows of an index that readers have can be ahead of it', async () => {
  const userId = await logTree(db, 2);
  await publish();
  await logTree(db, 3, userId);
  // A checkpoint that waits for its witnesses.
  await keeper().extend(await logSize(db));
  expect(await lastIndexEntry(db)).toMatchObject({ index: 3 });
  expect(await read(userId)).toMatchObject({ count: 2, index: { log_index: 1 } });
  await publish();
  expect(await read(userId)).toMatchObject({ count: 5, index: { log_index: 3 } });
});

test('a standby answers while it has the newest checkpoint', async () => {
  const userId = await logTree(db, 2);
  await publish();
  const queries: string[] = [];
  const standby: Db = { ...db };
  standby.query = (statement) => {
    queries.push(statement.text);
    return db.query(statement);
  };
  const answer = await read(userId, 0, keeper(), standby);
  expect(queries.some((text) => text.includes('from account_index '))).toBe(true);
  expect(answer).toEqual(await read(userId));
  const behind: Db = { ...db };
  behind.first = async () => undefined;
  behind.query = () => Promise.reject(new Error('it is behind'));
  expect(await read(userId, 0, keeper(), behind)).toEqual(answer);
});

test('a log whose etches were lost continues by the records, and signs nothing without them', async () => {
  const [{ userId } = { userId: '' }] = await anchor();
  await publish();
  const goBack = await remember(db);
  await anchor(2, userId);
  await anchor(2, userId);
  expect(await publish()).toBe(6);
  const before = await db.query(sql`select index, data from log_entry order by index`);
  await goBack();
  await anchor(1, userId);
  const kept = folder;
  folder = newFolder('ledgers');
  expect(await publish()).toBe(2);
  expect(errors).toEqual([expect.stringContaining('does not have the etches of entry 2')]);
  expect(await heldIndex(db)).toBe(errors[0]);
  folder = kept;
  expect(readFileSync(join(folder, 'index-etch.example%2Flog'), 'utf8')).toMatch(/^5 [0-9a-f]{64}$/m);
  expect(await publish()).toBe(7);
  expect((await db.query(sql`select index, data from log_entry order by index`)).slice(0, 6)).toEqual(before);
  // The index ends at the lost tree. Its answers are those of the last index entry before the tree.
  expect(await read(userId)).toMatchObject({ count: 2, index: { log_index: 1 } });
});
