import { DatabaseUnavailable, type Db, StatementFailed } from '../../db/db.ts';
import { seenCheckpoint } from '../../proofs/log/ask-witness.ts';
import { latestCheckpoint } from '../../proofs/log/checkpoints.ts';
import { certainSize, logSize } from '../../proofs/log/entries.ts';
import { logOrigin } from '../../proofs/log/tree-log.ts';
import type { Config } from '../../settings/config.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

const TIMEOUT_MS = 5_000;

export async function checkWitnesses(
  { witnessPolicy, baseUrl }: Pick<Config, 'witnessPolicy' | 'baseUrl'>,
  db: Db | undefined,
): Promise<Finding> {
  const witnesses = witnessPolicy?.witnesses ?? [];
  if (db && baseUrl !== undefined && (await isHeld(db, logOrigin(baseUrl))))
    return fail(
      'the restored log of trees may lack trees of a relayer key that the backup does not know, so it signs no new checkpoint',
      'restore a later backup, or set WITNESS_POLICY to witnesses that saw the log',
    );
  if (witnesses.length === 0 || baseUrl === undefined) return ok('WITNESS_POLICY names no witness');
  const faults = await Promise.all(
    witnesses.map(async (witness) => {
      const seen = await seenCheckpoint(witness, logOrigin(baseUrl), TIMEOUT_MS);
      return typeof seen === 'string' ? [`${witness.name}: ${seen}`] : [];
    }),
  );
  const faulty = faults.flat();
  if (faulty.length === 0) return ok('each witness of WITNESS_POLICY answers');
  return warn(
    faulty.join('; '),
    'correct its URL in WITNESS_POLICY, or ask its operator; /status names its fault',
  );
}

async function isHeld(db: Db, origin: string): Promise<boolean> {
  try {
    const signed = (await latestCheckpoint(db, origin))?.size ?? 0;
    return (await certainSize(db, signed)) < (await logSize(db));
  } catch (error) {
    // The check of the database reports the fault, or the database is new.
    if (error instanceof StatementFailed || error instanceof DatabaseUnavailable) return false;
    throw error;
  }
}
