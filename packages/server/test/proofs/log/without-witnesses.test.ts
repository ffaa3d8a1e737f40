import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint } from '@svc/protocol/tlog';
import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { makeEtches } from '../../../../../testing/anchoring/etches.ts';
import { useAnchoring } from '../../../../../testing/anchoring/ground.ts';
import { remember } from '../../../../../testing/database/older.ts';
import { useDatabase } from '../../../../../testing/database/test-database.ts';
import { auditIndex, indexKeeper, treesBelow } from '../../../../../testing/log/index-of-log.ts';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import type { Db } from '../../../src/db/db.ts';
import { createKeyring } from '../../../src/platform/secrets/keyring.ts';
import { latestCheckpoint } from '../../../src/proofs/log/checkpoints.ts';
import { logHold } from '../../../src/proofs/log/hold.ts';
import { createLastSigned } from '../../../src/proofs/log/last-signed.ts';
import { createTreeLog, publishCheckpoint } from '../../../src/proofs/log/tree-log.ts';
import { createLogPublisher } from '../../../src/proofs/log/witnessed-log.ts';

const ground = useAnchoring({ perTest: true });
const treeLog = createTreeLog(createKeyring([randomBytes(32)]), 'https://etch.example');
const db = useDatabase({ perTest: true });
let signed: Map<number, string>;
let errors: string[];
/** the folder with the records of the index */
let records: string;
beforeEach(() => {
  errors = [];
  records = newFolder('records');
  signed = new Map();
});

/** A second root of a size is a fork. @returns the number of trees in the latest checkpoint */
async function publish(of: Db = db): Promise<number> {
  const log = { warn: () => undefined, error: (_: object, message: string) => void errors.push(message) };
  // The rules without the file of the last checkpoint.
  const ledgers = newFolder('ledgers');
  const index = indexKeeper(of, { folder: records });
  const options = { db: of, treeLog, index, now: () => Date.now(), policy: undefined, log, ledgers };
  await createLogPublisher(options)();
  const latest = await latestCheckpoint(db, treeLog.origin);
  if (latest === null) return 0;
  const root = Buffer.from(parseCheckpoint(latest.note).root).toString('hex');
  expect(signed.get(latest.size) ?? root).toBe(root);
  signed.set(latest.size, root);
  expect(await auditIndex(db)).toMatch(/^(?:ti)*t*$/);
  return treesBelow(db, latest.size);
}

test('a restored database signs no second root of a size', async () => {
  await makeEtches(db, 2);
  await ground.drain(db);
  expect(await publish()).toBe(1);
  const goBack = await remember(db);
  await makeEtches(db, 1);
  await ground.drain(db);
  expect(await publish()).toBe(2);
  await makeEtches(db, 1);
  for (let tick = 0; tick < 3; tick++) await ground.anchoring(db, { chain: ground.unsent() }).tick();
  await publish();
  await goBack();
  expect(await publish()).toBe(1);
  await makeEtches(db, 3);
  expect(await publish()).toBe(1);
  await ground.drain(db);
  expect(await publish()).toBe(3);
  // The second tree's etches are lost, so that no index entry is behind the third one.
  expect([...signed.keys()]).toEqual([2, 4, 5]);
});

/** The trees, without the index entries: `publish` compares these in the root. */
const entries = () =>
  db.column<string>(sql`
    select encode(data, 'hex') as data from log_entry where get_byte(data, 63) <> 2 order by index`);
async function anchor(chain = ground.devnet.chain()): Promise<void> {
  await makeEtches(db, 2);
  await ground.drain(db, { chain });
}
async function anotherKey() {
  const { key } = await ground.devnet.newRelayer();
  return ground.devnet.chain({ relayerPrivateKey: key });
}

test('a restored database rebuilds the trees of an earlier relayer key, in their order', async () => {
  const second = await anotherKey();
  await anchor();
  await anchor(second);
  expect(await publish()).toBe(2);
  const goBack = await remember(db);
  await anchor();
  await anchor();
  await anchor(second);
  expect(await publish()).toBe(5);
  const logged = await entries();
  await goBack();
  await ground.drain(db, { chain: second });
  expect(await entries()).toEqual(logged);
  expect(await publish()).toBe(5);
});

test('a restored database rebuilds the trees of an earlier key before the first of a new key', async () => {
  await anchor();
  const goBack = await remember(db);
  await anchor();
  expect(await publish()).toBe(2);
  const logged = await entries();
  await goBack();
  await anchor(await anotherKey());
  expect((await entries()).slice(0, 2)).toEqual(logged);
  expect(await publish()).toBe(3);
});

const held = () => logHold(db, treeLog.origin, createLastSigned(newFolder('ledgers'), treeLog), false);

test('signs no tree that a key attested which the backup does not know, until it has a later backup', async () => {
  await anchor();
  expect(await publish()).toBe(1);
  const [goBack, next] = [await remember(db), await anotherKey()];
  await anchor();
  await anchor(next);
  expect(await publish()).toBe(3);
  const [goBackLater, logged] = [await remember(db), await entries()];
  await goBack();
  await ground.drain(db, { chain: next });
  expect(await entries()).toEqual(logged);
  expect(await publish()).toBe(2);
  expect(errors).toEqual([expect.stringContaining('another relayer key')]);
  expect(await held()).toContain('another relayer key');
  await anchor(next);
  expect(await publish()).toBe(2);
  await goBackLater();
  // The fourth tree is adopted. The operator says that no checkpoint had it.
  await anchor(next);
  expect(await publish()).toBe(3);
  appendFileSync(join(records, 'index-etch.example%2Flog'), '7 -\n');
  expect(await publish()).toBe(5);
  expect(await held()).toBeNull();
});

test('reports no missing tree when a tree joins the log while its checkpoint is signed', async () => {
  await anchor();
  let isFirst = true;
  const growing: Db = {
    ...db,
    async tx(work, options) {
      const done = await db.tx(work, options);
      if (isFirst) {
        isFirst = false;
        await anchor();
      }
      return done;
    },
  };
  expect(await publish(growing)).toBe(1);
  expect(errors).toEqual([]);
  expect(await publish()).toBe(2);
});

/** Its first tree is given up, because another program takes the nonce. */
async function anchorRobbed(): Promise<void> {
  await anchor(ground.robbed());
  expect(await db.query(sql`select 1 from anchor_tx where state = 'LOST'`)).toHaveLength(1);
}

test('a tree that was given up stays in a log that a witness may have seen', async () => {
  await db.query(
    sql`insert into log_witness (origin, witness, size, due_at) values ('etch.example/log', 'w', 0, now())`,
  );
  await anchorRobbed();
  expect(await entries()).toHaveLength(2);
});

test('a tree that was given up is in no checkpoint, so that a restored database signs the same ones', async () => {
  await anchor();
  expect(await publish()).toBe(1);
  const goBack = await remember(db);
  await anchorRobbed();
  await anchor();
  expect(await publish()).toBe(3);
  const logged = await entries();
  expect(logged).toHaveLength(3);
  await goBack();
  await ground.drain(db);
  expect(await entries()).toEqual(logged);
  expect(await publish()).toBe(3);
});

test('a process keeps the longer checkpoint that another one wrote to the file', async () => {
  await anchor();
  const lastSigned = createLastSigned(newFolder('ledgers'), treeLog);
  await lastSigned.write(parseCheckpoint(treeLog.sign(9, randomBytes(32))));
  const before = { latest: null, last: null, now: Date.now(), isWitnessed: false, indexed: 1 };
  await publishCheckpoint(db, treeLog, lastSigned, before);
  expect((await latestCheckpoint(db, treeLog.origin))!.size).toBe(1);
  expect((await lastSigned.read())!.size).toBe(9);
});
