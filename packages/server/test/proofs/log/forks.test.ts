import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint, parsePolicy, type Policy } from '@svc/protocol/tlog';
import fastify, { type FastifyInstance } from 'fastify';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeEtches } from '../../../../../testing/anchoring/etches.ts';
import { useAnchoring } from '../../../../../testing/anchoring/ground.ts';
import { depthOfNewest, dropBlocks, spendNonce } from '../../../../../testing/chain/chain-faults.ts';
import { remember } from '../../../../../testing/database/older.ts';
import { testDatabase, type TestDatabase } from '../../../../../testing/database/test-database.ts';
import { auditIndex, indexKeeper, treesBelow } from '../../../../../testing/log/index-of-log.ts';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { type LocalWitness, startLocalWitness } from '../../../../../testing/tlog-witness.ts';
import type { HttpDependencies } from '../../../src/http/dependencies.ts';
import { eventually } from '../../../../../testing/wait.ts';
import { createKeyring } from '../../../src/platform/secrets/keyring.ts';
import { latestCheckpoint, proveLogged, witnessHealth } from '../../../src/proofs/log/checkpoints.ts';
import { dropTrees } from '../../../src/proofs/log/entries.ts';
import { logHold } from '../../../src/proofs/log/hold.ts';
import { createLastSigned } from '../../../src/proofs/log/last-signed.ts';
import { createTreeLog, type TreeLog } from '../../../src/proofs/log/tree-log.ts';
import { createLogPublisher } from '../../../src/proofs/log/witnessed-log.ts';
import { mountTreeLog } from '../../../src/http/public-files.ts';

const anonymous = { take: async () => undefined };

// No restored database makes the service send two checkpoints of one size.
const ground = useAnchoring({ perTest: true });
let [clock, treeLog, db, ledgers] = [Date.now(), {} as TreeLog, {} as TestDatabase, ''];
let [one, two] = [{} as LocalWitness, {} as LocalWitness];
let app: FastifyInstance;
let said: string[];
/** the root that readers saw for each size, and the root that anyone saw, witnesses included */
let [read, left] = [new Map<number, string>(), new Map<number, string>()];
beforeAll(async () => {
  [one, two] = (await Promise.all(
    ['one', 'two'].map((name) => startLocalWitness(`${name}.example`, () => clock / 1000)),
  )) as [LocalWitness, LocalWitness];
});
afterAll(() => Promise.all([one, two].map(({ server }) => server.stop())));
beforeEach(async () => {
  db = await testDatabase();
  treeLog = createTreeLog(createKeyring([randomBytes(32)]), 'https://etch.example');
  ledgers = newFolder('ledgers');
  [read, left, said] = [new Map(), new Map(), []];
  for (const witness of [one, two]) witness.watch(treeLog.keys);
  app = fastify();
  mountTreeLog(app, { db, etches: { treeLog }, meters: { anonymous } } as unknown as HttpDependencies);
});
afterEach(async () => {
  await app.close();
  await db.close();
});

const policy = (quorum: 'all' | 'any' = 'all'): Policy =>
  parsePolicy([one.line, two.line, `group g ${quorum} one.example two.example`, 'quorum g\n'].join('\n'));
function note(seen: Map<number, string>, text: string): number {
  const { size, root } = parseCheckpoint(text);
  const hex = Buffer.from(root).toString('hex');
  expect(seen.get(size) ?? hex, `two checkpoints of size ${size}`).toBe(hex);
  seen.set(size, hex);
  return size;
}
const get = async (path: string): Promise<string | null> => {
  const { statusCode, body } = await app.inject(`/log/${path}`);
  return statusCode === 200 ? body : null;
};
/** As a new process; `database`: a separate one. @returns the number of trees in the checkpoint that readers get */
async function publish(
  of?: Policy,
  { database = db, strict = true, timeoutMs = 3_000 } = {},
): Promise<number> {
  clock += 3_700_000;
  const say = (_: object, text: string) => void said.push(text);
  const log = { warn: say, error: say };
  const index = indexKeeper(database);
  const options = { db: database, treeLog, index, now: () => clock, policy: of, log, ledgers, timeoutMs };
  await createLogPublisher(options)();
  const checkpoint = await get('checkpoint');
  const size = checkpoint === null ? 0 : note(read, checkpoint);
  for (const text of [checkpoint, ...one.received, ...two.received])
    if (text !== null && strict) note(left, text);
  expect(await auditIndex(db)).toMatch(/^(?:ti|t)*$/);
  return treesBelow(db, size);
}
const moods = (first: LocalWitness['mood'], second = first) => {
  one.mood = first;
  two.mood = second;
};
/** A tree on the chain. */
async function anchor(): Promise<void> {
  await makeEtches(db, 1);
  await ground.drain(db);
}
/** A tree that waits to be sent. @returns its etch */
async function stage(): Promise<string> {
  const [etch] = await makeEtches(db, 1);
  for (let tick = 0; tick < 3; tick++) await ground.anchoring(db, { chain: ground.unsent() }).tick();
  return etch!.id;
}
/** as `/status` says it */
const held = () => logHold(db, treeLog.origin, createLastSigned(ledgers, treeLog), false);
const newHost = () => void (ledgers = newFolder('ledgers'));

test('readers get no checkpoint before a quorum cosigned it or its attestations are final', async () => {
  await anchor();
  expect(await publish(policy())).toBe(1);
  moods('well', 'deaf');
  const etch = await stage();
  expect(await publish(policy())).toBe(1);
  expect(parseCheckpoint(one.kept!).size).toBe(4);
  expect(await get(`proof/${etch}`)).toBeNull();
  expect(await get('tile/0/000.p/4')).toBeNull();
  // A witness that checks the index reads these before it cosigns.
  expect(await get('tile/entries/000.p/4')).not.toBeNull();
  expect(await get('leaves/2')).not.toBeNull();
  moods('well');
  expect(await publish(policy())).toBe(2);
  expect(await get(`proof/${etch}`)).toContain('two.example');
  moods('away');
  await ground.drain(db);
  await anchor();
  expect(await publish(policy())).toBe(2);
  moods('well', 'deaf');
  expect(await publish(policy())).toBe(3);
});

test('readers wait for no witness that the quorum does not need', async () => {
  await stage();
  moods('well', 'silent');
  const published = publish(policy('any'), { timeoutMs: 3_600_000 });
  const checkpoint = await eventually('it is served', () => get('checkpoint'));
  expect(checkpoint).toContain('one.example');
  two.server.drop();
  expect(await published).toBe(1);
});

test('a checkpoint that no witness stored is not signed again with other trees', async () => {
  await anchor();
  expect(await publish(policy())).toBe(1);
  const goBack = await remember(db);
  moods('deaf');
  await stage();
  expect(await publish(policy())).toBe(1);
  expect(parseCheckpoint(two.received.at(-1)!).size).toBe(4);
  await goBack();
  moods('well');
  await anchor();
  expect(await publish(policy())).toBe(1);
  expect(said.at(-1)).toContain('differs from');
  await anchor();
  expect(await publish(policy())).toBe(1);
  // A new host does not have the file. No reader has the checkpoint of size 2.
  newHost();
  expect(await publish(policy(), { strict: false })).toBe(3);
});

test('a log whose policy was removed continues what readers and witnesses have', async () => {
  await anchor();
  expect(await publish(policy())).toBe(1);
  const goBack = await remember(db);
  await stage();
  expect(await publish(policy())).toBe(2);
  await goBack();
  await anchor();
  expect(await publish()).toBe(1);
  expect(said.at(-1)).toContain('differs from');
  newHost();
  expect(await publish()).toBe(1);
  expect(said.at(-1)).toContain('set WITNESS_POLICY');
  expect(await held()).toContain('set WITNESS_POLICY');
  expect(await publish(policy())).toBe(1);
  // The file has the checkpoint of a witness now.
  expect(await publish()).toBe(1);
  expect(said.at(-1)).toContain('differs from');
});

test('a log whose policy was removed signs final attestations', async () => {
  await anchor();
  expect(await publish(policy())).toBe(1);
  await stage();
  moods('deaf');
  expect(await publish(policy())).toBe(1);
  expect(await publish()).toBe(1);
  await anchor();
  expect(await publish()).toBe(3);
  expect(await publish(policy())).toBe(3);
});

test('without witnesses, a tree that a reorganization removed is not replaced after a restore', async () => {
  await anchor();
  expect(await publish()).toBe(1);
  const goBack = await remember(db);
  await anchor();
  expect(await publish()).toBe(2);
  await dropBlocks(ground.devnet, await depthOfNewest(ground.devnet));
  await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
  await goBack();
  expect(await held()).toContain('shorter (2) than the checkpoint in LEDGER_DIR (4)');
  await anchor();
  expect(await publish()).toBe(1);
  expect(said.at(-1)).toContain('differs from');
  expect(await held()).toContain('differs from');
});

test('on a new host, each quorum that may have cosigned has to be asked', async () => {
  await anchor();
  expect(await publish(policy('any'))).toBe(1);
  const goBack = await remember(db);
  moods('well', 'deaf');
  await stage();
  expect(await publish(policy('any'))).toBe(2);
  await goBack();
  await anchor();
  newHost();
  moods('away', 'well');
  expect(await publish(policy('any'))).toBe(1);
  moods('well');
  expect(await publish(policy('any'))).toBe(1);
  expect(said.at(-1)).toContain('differs from what a witness saw');
  const health = await witnessHealth(db, { origin: treeLog.origin, policy: policy('any'), now: clock });
  expect(health[0]!.fault).toBe('it has seen a different history of this log');
});

test('a process that ends between the database and the file signs the same checkpoint again', async () => {
  await anchor();
  let transactions = 0;
  const ending: TestDatabase = {
    ...db,
    // The first transaction appends the index entry.
    tx: async (work, options) => {
      const done = await db.tx(work, options);
      if (++transactions === 2) throw new Error('it ended');
      return done;
    },
  };
  await expect(publish(undefined, { database: ending })).rejects.toThrow('it ended');
  expect(readdirSync(ledgers)).toEqual([]);
  expect(await get('checkpoint')).toBeNull();
  const { size, note: text, served } = (await latestCheckpoint(db, treeLog.origin))!;
  expect({ size, served }).toEqual({ size: 2, served: false });
  note(left, text);
  expect(await publish()).toBe(1);
});

test('serves no checkpoint that another machine stored and no file has', async () => {
  await anchor();
  expect(await publish()).toBe(1);
  const mine = ledgers;
  const ending: TestDatabase = {
    ...db,
    tx: async (work, options) => {
      const done = await db.tx(work, options);
      if ((await latestCheckpoint(db, treeLog.origin))!.size > 2) throw new Error('it ended');
      return done;
    },
  };
  let looks = 0;
  const racing: TestDatabase = {
    ...db,
    query: async (statement) => {
      // The look behind the signing.
      if (/from log_checkpoint c\b.*order by/s.test(statement.text) && ++looks === 2) {
        newHost();
        await anchor();
        await expect(publish(undefined, { database: ending })).rejects.toThrow('it ended');
        ledgers = mine;
      }
      return db.query(statement) as never;
    },
  };
  await publish(undefined, { database: racing });
  expect((await latestCheckpoint(db, treeLog.origin))!).toMatchObject({ size: 4, served: false });
  expect(await publish()).toBe(2);
});

test('signs nothing if a tree leaves the log meanwhile', async () => {
  await anchor();
  await anchor();
  let transactions = 0;
  const giveUp = () => db.tx((tx) => dropTrees(tx, sql`select batch_id from log_entry where index = 0`));
  const racing: TestDatabase = {
    ...db,
    // The first two transactions append index entries.
    tx: async (work, options) => {
      if (++transactions === 3) await giveUp();
      return db.tx(work, options);
    },
  };
  expect(await publish(undefined, { database: racing })).toBe(0);
  expect(await latestCheckpoint(db, treeLog.origin)).toBeNull();
  expect(await publish()).toBe(1);
});

test('a proof is of one state of the log', async () => {
  const etch = await stage();
  await anchor();
  await db.query(sql`update anchor_tx set state = 'SENT'`);
  let queries = 0;
  const changing: TestDatabase = {
    ...db,
    query: async (statement) => {
      const rows = await db.query(statement);
      if (++queries > 1) return rows as never;
      await db.tx((tx) => dropTrees(tx, sql`select batch_id from log_entry where index = 0`));
      await db.query(sql`update anchor_tx set state = 'FINAL'`);
      await publish();
      return rows as never;
    },
  };
  expect(await proveLogged(changing, treeLog.origin, etch)).toEqual([]);
});

test('a damaged file is named, and nothing is signed', async () => {
  await anchor();
  expect(await publish()).toBe(1);
  const file = join(ledgers, readdirSync(ledgers)[0]!);
  const changed = readFileSync(file, 'utf8').replace('\n2\n', '\n9\n');
  await anchor();
  const damaged = 'LEDGER_DIR: checkpoint-etch.example%2Flog is damaged';
  for (const text of ['etch.example/log\n', '', changed]) {
    writeFileSync(file, text);
    await expect(publish()).rejects.toThrow(damaged);
    expect(await held()).toContain(damaged);
  }
  expect(await get('checkpoint')).toContain('etch.example/log\n2\n');
});

test('a new database beside the folder of an earlier service is told what it needs', async () => {
  await anchor();
  await anchor();
  expect(await publish()).toBe(2);
  await db.close();
  db = await testDatabase();
  expect(await publish()).toBe(0);
  expect(said.at(-1)).toContain('shorter (0)');
  expect(said.at(-1)).toContain('a service that starts anew needs new SECRET_KEYS');
});

test('a file of other keys or of another origin is replaced', async () => {
  await anchor();
  await anchor();
  expect(await publish()).toBe(2);
  treeLog = createTreeLog(createKeyring([randomBytes(32)]), 'https://etch.example');
  await db.query(sql`delete from log_checkpoint`);
  await db.tx((tx) => dropTrees(tx, sql`select batch_id from log_entry where index = 0`));
  left = new Map();
  read = new Map();
  await app.close();
  app = fastify();
  mountTreeLog(app, { db, etches: { treeLog }, meters: { anonymous } } as unknown as HttpDependencies);
  expect(await publish()).toBe(1);
});
