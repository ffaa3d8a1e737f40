import { buildTree, decodeAttestationData, etchLeaf } from '@svc/protocol';
import { AccountIndex, readIndexData, run } from '@svc/protocol/account-index';
import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { Db, Tx } from '../../packages/server/src/db/db.ts';
import {
  createIndexKeeper,
  type IndexKeeper,
} from '../../packages/server/src/proofs/account-index/index-keeper.ts';
import { createIndexRecords } from '../../packages/server/src/proofs/account-index/index-records.ts';
import { sha256 } from '../../packages/server/src/platform/secrets/signing-key.ts';
import { leavesAt } from '../../packages/server/src/proofs/account-index/index-store.ts';
import { appendTrees } from '../../packages/server/src/proofs/log/entries.ts';
import { makeEtches } from '../anchoring/etches.ts';
import { newFolder } from '../machine/folder.ts';

type Log = Parameters<typeof createIndexKeeper>[0]['log'];
const quiet: Log = { warn: () => undefined, error: () => undefined };

/** As a new process, without records by default. */
export const indexKeeper = (
  db: Db,
  {
    folder = newFolder('records'),
    origin = 'etch.example/log',
    log = quiet,
  }: { folder?: string; origin?: string; log?: Log } = {},
): IndexKeeper => createIndexKeeper({ db, records: createIndexRecords(folder, origin), log });

const entriesOfLog = (db: Db) => db.column<Buffer>(sql`select data from log_entry order by index`);

/** Inserts the batch of a tree that this database staged, without a transaction. @returns its id */
export const insertBatch = (tx: Tx, root: Buffer, treeSize: number) =>
  tx.value<number>(sql`
    insert into batch (position, kind, tree_version, root, tree_size, retry_at)
    values (0, 0, 2, ${root}, ${treeSize}, '2100-01-01') returning id`);

/** A tree of new etches in the log, without a chain. @returns its author */
export async function logTree(db: Db, count: number, userId?: string): Promise<string> {
  const etches = await makeEtches(db, count, userId === undefined ? {} : { userId });
  const tree = buildTree(etches.map((etch) => etchLeaf(2, etch.userId, etch.hash.toString('hex'))));
  const root = Buffer.from(tree.root);
  await db.tx(async (tx) => {
    const batchId = await insertBatch(tx, root, count);
    const ids = etches.map(({ id }) => id);
    await tx.query(sql`
      insert into batch_leaf (kind, etch_id, batch_id, proof)
      select 0, id, ${batchId}, '' from unnest(${ids}::uuid[]) as e (id)`);
    await tx.query(sql`delete from anchor_job where etch_id = any(${ids}::uuid[])`);
    await appendTrees(tx, [{ root, kind: 0, treeVersion: 2, treeSize: count, batchId }]);
  });
  return etches[0]!.userId;
}

/** The entries below this size that are no index entries. */
export async function treesBelow(db: Db, size: number): Promise<number> {
  const entries = await entriesOfLog(db);
  return entries.slice(0, size).filter((data) => readIndexData(data) === null).length;
}

/**
 * Recomputes each index entry from the leaves of the trees, up to a tree whose leaves the database does not have.
 * @returns one character for each entry: t is a tree or an attestation, i an index entry
 */
export async function auditIndex(db: Db): Promise<string> {
  const index = new AccountIndex(sha256);
  let form = '';
  let isKnown = true;
  for (const [logIndex, data] of (await entriesOfLog(db)).entries()) {
    const found = readIndexData(data);
    form += found === null ? 't' : 'i';
    if (found !== null) {
      expect(found.covered).toBe(logIndex);
      const root = Buffer.from(run(index.root()));
      if (isKnown) expect(Buffer.from(found.root).toString('hex')).toBe(root.toString('hex'));
      continue;
    }
    const { kind, treeVersion } = decodeAttestationData(data);
    const packed = treeVersion === 2 ? await leavesAt(db, logIndex) : Buffer.alloc(0);
    if (packed === null) isKnown = false;
    else run(index.addTree({ logIndex, kind, packed }));
  }
  return form;
}
