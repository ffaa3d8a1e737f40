// Decides whether the log may sign a checkpoint now (docs/decisions/0027-a-restored-log.md).
import { type Checkpoint, rootAt, TlogError } from '@svc/protocol/tlog';
import type { Db } from '../../db/db.ts';
import { hadWitnesses, latestCheckpoint } from './checkpoints.ts';
import { hasDoubtful, logSize, subtreesOf } from './entries.ts';
import type { LastSigned } from './last-signed.ts';

export const DOUBTFUL =
  'this backup does not know another relayer key that attested later: no checkpoint is signed past that point ' +
  '(docs/operating/recovery.md#a-database-older-than-its-chain)';

export async function continues(db: Db, { size, root }: Checkpoint): Promise<boolean> {
  return size <= (await logSize(db)) && Buffer.from(await rootAt(size, subtreesOf(db))).equals(root);
}

/**
 * Why no checkpoint may be signed (docs/decisions/0027-a-restored-log.md); null: nothing forbids it.
 * @param last what LEDGER_DIR has
 */
export async function holdOf(
  db: Db,
  origin: string,
  last: Checkpoint | null,
  hasWitnesses: boolean,
): Promise<string | null> {
  if (last === null) return hasWitnesses || !(await hadWitnesses(db, origin)) ? null : UNWITNESSED;
  if (await continues(db, last)) return null;
  const size = await logSize(db);
  return size < last.size
    ? `it is shorter (${size}) than the checkpoint in LEDGER_DIR (${last.size}): no checkpoint is signed until the missing trees are adopted from the chain; a service that starts anew needs new SECRET_KEYS`
    : `it differs from the checkpoint in LEDGER_DIR (${last.size}): no checkpoint is signed (docs/operating/proofs.md#witnesses)`;
}

const UNWITNESSED =
  'witnesses cosigned it, and LEDGER_DIR has no checkpoint: no checkpoint is signed; ' +
  'set WITNESS_POLICY to the file with these witnesses';

/** Also says why checkpoints leave out the newest trees. */
export async function logHold(
  db: Db,
  origin: string,
  lastSigned: LastSigned,
  hasWitnesses: boolean,
): Promise<string | null> {
  try {
    const last = await lastSigned.read();
    const hold = await holdOf(db, origin, last, hasWitnesses);
    if (hold !== null) return hold;
    const signed = (await latestCheckpoint(db, origin))?.size ?? 0;
    return (await hasDoubtful(db, Math.max(signed, last?.size ?? 0))) ? DOUBTFUL : null;
  } catch (error) {
    if (error instanceof TlogError) return error.message;
    throw error;
  }
}
