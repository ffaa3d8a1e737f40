import { eraseWithheld, releaseWithheld } from '../../acts/retract.ts';
import { vacuumErased } from '../../acts/vacuum.ts';
import { listWithheld } from '../../acts/change-store.ts';
import type { Chain } from '../../chain/port.ts';
import type { Db } from '../../db/db.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { matchByLeaves, matchSingles } from '../../tombstones/match.ts';
import { searchTombstones } from '../../tombstones/search.ts';
import { listUnmatched, setState } from '../../tombstones/store.ts';
import type { Report } from '../fsck/report.ts';
import { openLeaves } from './leaves.ts';

/** Withholds etches with a tombstone on the chain and no retraction in the database. */
export async function checkTombstones(
  db: Db,
  chain: Chain,
  keyring: Keyring,
  { leaves, report }: { leaves: string | undefined; report: Report },
): Promise<void> {
  const leavesOf = leaves === undefined ? undefined : await openLeaves(leaves);
  report.count('tombstones found', await searchTombstones(db, chain, 'all'));
  await matchSingles(db, keyring);
  if (leavesOf) await matchByLeaves(db, keyring, leavesOf);
  for (const { etch_id, uid } of await listWithheld(db))
    report.fault(
      'etch',
      etch_id,
      `withheld for the tombstone ${hex(uid)}, which the database had forgotten: run svc-admin chain erase or give-back`,
    );
  for (const { root, uid, tree_size } of await listUnmatched(db))
    report.fault(
      'tombstone tree',
      root.toString('hex'),
      `${hex(uid)} retracts ${tree_size} etches and matches none here so far: give a copy of /batches (--leaves)`,
    );
}

export interface WithheldResult {
  etches: { id: string; tombstone: string }[];
  done: number;
}

export async function eraseForgotten(db: Db, yes: boolean): Promise<WithheldResult> {
  const etches = await named(db, null);
  if (!yes) return { etches, done: 0 };
  const done = await eraseWithheld(db, null);
  if (done > 0) await vacuumErased(db);
  return { etches, done };
}

export async function giveForgottenBack(
  db: Db,
  keyring: Keyring,
  uid: string,
  yes: boolean,
): Promise<WithheldResult & { dismissed: boolean }> {
  const bytes = Buffer.from(uid.replace(/^0x/, ''), 'hex');
  const etches = await named(db, bytes);
  if (!yes) return { etches, done: 0, dismissed: false };
  const done = await releaseWithheld(db, keyring, bytes);
  return { etches, done, dismissed: await setState(db, bytes, 'dismissed') };
}

async function named(db: Db, uid: Buffer | null): Promise<WithheldResult['etches']> {
  return (await listWithheld(db, uid)).map((one) => ({ id: one.etch_id, tombstone: hex(one.uid) }));
}

const hex = (bytes: Buffer): string => `0x${bytes.toString('hex')}`;
