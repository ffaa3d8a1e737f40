import type { Queryable } from '../../db/db.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { checkConstraints } from './constraints.ts';
import { checkEtches } from './etches.ts';
import { checkLedger } from './ledger.ts';
import { Report } from './report.ts';
import { checkTrees } from './trees.ts';

/**
 * Computes everything that was derived again from what is stored, and compares: hashes from their parts, sealed texts
 * opened with their key, leaves and roots, and what must hold between the tables. Each page is one statement, so that
 * it is consistent in itself while the service goes on writing.
 */
export async function fsck(
  db: Queryable,
  keyring: Keyring,
  progress: (step: string, done: number) => void = () => {},
): Promise<Report> {
  const report = new Report();
  await checkEtches(db, keyring, report, (done) => progress('etches', done));
  await checkTrees(db, report, (done) => progress('trees', done));
  await checkLedger(db, report);
  await checkConstraints(db, report);
  return report;
}
