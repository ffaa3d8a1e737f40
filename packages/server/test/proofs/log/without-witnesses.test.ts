import { randomBytes } from 'node:crypto';
import { parseCheckpoint } from '@svc/protocol/tlog';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drain } from '../../../../../testing/anchoring/drive.ts';
import { makeEtches } from '../../../../../testing/anchoring/etches.ts';
import { useAnchoring, withChanges } from '../../../../../testing/anchoring/ground.ts';
import { remember } from '../../../../../testing/database/older.ts';
import { testDatabase, type TestDatabase } from '../../../../../testing/database/test-database.ts';
import { createKeyring } from '../../../src/platform/secrets/keyring.ts';
import { latestCheckpoint } from '../../../src/proofs/log/checkpoints.ts';
import { createTreeLog } from '../../../src/proofs/log/tree-log.ts';
import { createLogPublisher } from '../../../src/proofs/log/witnessed-log.ts';

const ground = useAnchoring();
const treeLog = createTreeLog(createKeyring([randomBytes(32)]), 'https://etch.example');
let db: TestDatabase;
let signed: Map<number, string>;
beforeEach(async () => {
  db = await testDatabase();
  signed = new Map();
  await ground.devnet.outliveBlocks();
});
afterEach(() => db.close());

/** A second root of a size is a fork. */
async function publish(): Promise<number> {
  const log = { warn: () => undefined, error: () => undefined };
  await createLogPublisher({ db, treeLog, now: () => Date.now(), policy: undefined, log })();
  const latest = await latestCheckpoint(db, treeLog.origin);
  if (latest === null) return 0;
  const root = Buffer.from(parseCheckpoint(latest.note).root).toString('hex');
  expect(signed.get(latest.size) ?? root).toBe(root);
  signed.set(latest.size, root);
  return latest.size;
}

test('signs a tree only when its attestation is final', async () => {
  const real = ground.devnet.chain();
  const unsent = withChanges(real, { send: async () => ({ outcome: 'rejected' as const }) });
  await makeEtches(db, 2);
  for (let tick = 0; tick < 3; tick++) await ground.anchoring(db, { chain: unsent, holder: 'one' }).tick();
  expect(await publish()).toBe(0);
  await drain(ground.anchoring(db, { holder: 'one' }), db);
  expect(await publish()).toBe(1);
});

test('a restored database signs no second root of a size', async () => {
  const real = ground.devnet.chain();
  const service = () => ground.anchoring(db, { holder: 'one' });
  await makeEtches(db, 2);
  await drain(service(), db);
  expect(await publish()).toBe(1);
  const goBack = await remember(db);
  await makeEtches(db, 1);
  await drain(service(), db);
  expect(await publish()).toBe(2);
  await makeEtches(db, 1);
  const unsent = withChanges(real, { send: async () => ({ outcome: 'rejected' as const }) });
  for (let tick = 0; tick < 3; tick++) await ground.anchoring(db, { chain: unsent, holder: 'one' }).tick();
  await publish();
  await goBack();
  expect(await publish()).toBe(1);
  await makeEtches(db, 3);
  expect(await publish()).toBe(1);
  await drain(service(), db);
  expect(await publish()).toBe(3);
  expect([...signed.keys()]).toEqual([1, 2, 3]);
});
