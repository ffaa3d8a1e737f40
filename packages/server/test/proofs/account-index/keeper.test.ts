import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
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
const recordsPath = () => join(folder, 'index-etch.example%2Flog');
const logged = () => db.column<Buffer>(sql`select data from log_entry order by index`);
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

test('a leader that ends at any statement stops no other machine, and continues its history', async () => {
  const [first, second] = [folder, newFolder('ledgers')];
  let trees = 0;
  for (let at = 0; ; at++) {
    await logTree(db, 1);
    folder = first;
    const { db: killed, ended } = ending(at);
    const index = indexKeeper(killed, { folder, log });
    await publish(index, killed).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
    trees++;
    for (folder of [second, first]) expect(await publish()).toBe(2 * trees);
    if (!ended()) break;
  }
  expect(trees).toBeGreaterThan(8);
  expect(await auditIndex(db)).toBe('ti'.repeat(trees));
  expect(errors).toEqual([]);
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
  expect(readFileSync(recordsPath(), 'utf8')).toMatch(/^5 [0-9a-f]{64} [0-9a-f]{64}$/m);
  expect(await publish()).toBe(7);
  expect((await db.query(sql`select index, data from log_entry order by index`)).slice(0, 6)).toEqual(before);
  // The index ends at the lost tree. Its answers are those of the last index entry before the tree.
  expect(await read(userId)).toMatchObject({ count: 2, index: { log_index: 1 } });
});

test('a restored copy of the records is too old for a lost tree, until the operator adds a line', async () => {
  const [{ userId } = { userId: '' }] = await anchor();
  await publish();
  const goBack = await remember(db);
  const copy = newFolder('ledgers');
  cpSync(folder, copy, { recursive: true });
  await anchor(2, userId);
  expect(await publish()).toBe(4);
  const published = await logged();
  await goBack();
  folder = copy;
  await anchor(1, userId);
  expect(await publish()).toBe(2);
  expect(errors).toEqual([
    expect.stringContaining('of entry 2 of the log of trees; no checkpoint has entry 2 ('),
  ]);
  appendFileSync(recordsPath(), `\n3 ${published[3]!.toString('hex', 0, 32)}\n`);
  expect(await publish()).toBe(5);
  expect((await logged()).slice(0, 4)).toEqual(published);
});

test('a database that lost etches twice continues by the records of trees without an index entry', async () => {
  const [{ userId } = { userId: '' }] = await anchor();
  await publish();
  const goBack = await remember(db);
  await anchor(2, userId);
  await goBack();
  // The first life ended before its last tree was in a checkpoint.
  expect(await anchor(1, userId).then(() => publish())).toBe(2);
  appendFileSync(recordsPath(), '3 -\n');
  expect(await publish()).toBe(4);
  const published = await logged();
  await goBack();
  await anchor(1, userId);
  expect(await publish()).toBe(5);
  expect((await logged()).slice(0, 4)).toEqual(published);
});

test('a record of another tree is not used', async () => {
  await anchor();
  await publish();
  const goBack = await remember(db);
  await anchor();
  await goBack();
  await anchor();
  const [root, tree] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('hex'));
  appendFileSync(recordsPath(), `3 ${root} ${tree}\n`);
  expect(await publish()).toBe(2);
});

test('the records get the index entries that other machines appended', async () => {
  const leader = keeper();
  await logTree(db, 1);
  await publish(leader);
  const first = folder;
  folder = newFolder('ledgers');
  await logTree(db, 1);
  await publish(without);
  await logTree(db, 1);
  await publish(keeper());
  expect(await auditIndex(db)).toBe('titti');
  const lines = (file: string) => file.split('\n').filter((line) => line !== '');
  const all = lines(readFileSync(recordsPath(), 'utf8'));
  expect(all.map((line) => line.split(' ')[1] === '-')).toEqual([false, true, false]);
  folder = first;
  await publish(keeper());
  expect(lines(readFileSync(recordsPath(), 'utf8'))).toEqual(all);
});

/** Runs something before the next transaction of a keeper. */
function before(run: () => Promise<unknown>): Db {
  let isFirst = true;
  return {
    ...db,
    async tx(work, options) {
      if (isFirst) {
        isFirst = false;
        await run();
      }
      return db.tx(work, options);
    },
  };
}

test('no index entry enters a checkpoint that another process signed meanwhile', async () => {
  await logTree(db, 1);
  await publish();
  await logTree(db, 1);
  const late = indexKeeper(
    before(() => publish(without)),
    { folder, log },
  );
  await late.extend(await logSize(db));
  expect(await auditIndex(db)).toBe('tit');
  await logTree(db, 1);
  expect(await publish(late)).toBe(5);
  expect(await auditIndex(db)).toBe('titti');
});

test('two processes append the index entry of a record once', async () => {
  await anchor();
  await publish();
  const goBack = await remember(db);
  await anchor();
  await publish();
  await goBack();
  await anchor();
  const other = keeper();
  const late = indexKeeper(
    before(() => other.extend(4)),
    { folder, log },
  );
  await late.extend(4);
  await publish(late);
  expect(await auditIndex(db)).toBe('titit');
});

test('a wrong index entry that no checkpoint has is not signed', async () => {
  await logTree(db, 2);
  await keeper().extend(1);
  await db.query(
    sql`update log_entry set data = ${randomBytes(32)} || substring(data from 33) where index = 1`,
  );
  await db.tx((tx) => resetIndex(tx, 0));
  expect(await publish()).toBe(1);
  expect(errors[0]).toContain('its entry 1 of the log of trees does not have the root');
});

test('a map that a failover made wrong is loaded again', async () => {
  const stale = keeper();
  const goBack = await remember(db);
  await logTree(db, 2);
  await publish(stale);
  await goBack();
  folder = newFolder('ledgers');
  const userId = await logTree(db, 3);
  await publish();
  expect((await read(userId, 0, stale)).count).toBe(3);
  await logTree(db, 1, userId);
  await expect(publish(stale)).rejects.toThrow('it is loaded again');
  expect(await publish(stale)).toBe(4);
  expect(await auditIndex(db)).toBe('titi');
});

/** Makes the index entry at this place wrong. @returns what makes it right again */
async function damage(index: number): Promise<() => Promise<unknown>> {
  const store = (data: Buffer) => db.query(sql`update log_entry set data = ${data} where index = ${index}`);
  const right = (await logged())[index]!;
  await db.tx((tx) => resetIndex(tx, 0));
  await store(Buffer.concat([randomBytes(32), right.subarray(32)]));
  return () => store(right);
}

test('behind a wrong index entry the map stays loaded, and answers are those of the last right one', async () => {
  const userId = await logTree(db, 2);
  await publish();
  await logTree(db, 1, userId);
  await publish();
  await damage(3);
  await logTree(db, 1, userId);
  let loads = 0;
  const counted: Db = { ...db };
  counted.query = (statement) => {
    if (statement.text.includes('from account_index ')) loads++;
    return db.query(statement);
  };
  const leader = indexKeeper(counted, { folder, log });
  expect(await publish(leader)).toBe(5);
  loads = 0;
  await logTree(db, 1, userId);
  expect(await publish(leader)).toBe(6);
  expect(loads).toBe(0);
  for (const of of [leader, keeper()])
    expect(await read(userId, 0, of)).toMatchObject({ count: 2, index: { log_index: 1 } });
});

test('a restored log gets no index entries behind trees that were signed without them', async () => {
  await anchor();
  await publish();
  const etches = await makeEtches(db, 2);
  const goBack = await remember(db);
  const repair = await damage(1);
  await ground.drain(db);
  await publish();
  await repair();
  await anchor(2, etches[0]!.userId);
  const leader = keeper();
  await publish(leader);
  expect(await auditIndex(db)).toBe('titti');
  const published = await logged();
  await goBack();
  await ground.drain(db);
  await publish();
  expect(await logged()).toEqual(published);
});

const endingAtCheckpoint = (): Db => ({
  ...db,
  tx: (work, options) =>
    db.tx((tx) => {
      const query: Tx['query'] = (statement) => {
        if (statement.text.includes('insert into log_checkpoint')) throw new Killed('it ended');
        return tx.query(statement);
      };
      return work({ ...tx, query });
    }, options),
});

async function endBeforeCheckpoint(): Promise<void> {
  await logTree(db, 1);
  await publish();
  const repair = await damage(1);
  await logTree(db, 1);
  await logTree(db, 1);
  const killed = endingAtCheckpoint();
  await expect(publish(indexKeeper(killed, { folder, log }), killed)).rejects.toThrow(Killed);
  await repair();
}

test('a leader that ends before it stores a checkpoint without index entries continues that checkpoint', async () => {
  await endBeforeCheckpoint();
  expect(await publish()).toBe(4);
  expect(await auditIndex(db)).toBe('titt');
});

test('a leader that ends before it stores a checkpoint without index entries continues that of another machine', async () => {
  await endBeforeCheckpoint();
  const first = folder;
  folder = newFolder('ledgers');
  expect(await publish()).toBe(6);
  expect(await auditIndex(db)).toBe('tititi');
  folder = first;
  await logTree(db, 1);
  expect(await publish()).toBe(8);
  expect(await auditIndex(db)).toBe('titititi');
});

test('an answer does not wait for a long run of the keeper', async () => {
  const userId = await logTree(db, 1);
  await publish();
  const busy = { readAt: () => new Promise<never>(() => undefined) };
  const sources = { db, standby: undefined, origin, maps: createReadMaps(busy) };
  await expect(answerIndex(sources, userId, 0)).rejects.toMatchObject({ retryAfter: 10 });
});
