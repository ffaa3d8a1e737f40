import type { Queryable } from '../../db/db.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { checkConstraints } from './constraints.ts';
import { checkEtches } from './etches.ts';
import { checkLedger } from './ledger.ts';
import { Report } from './report.ts';
import { checkTrees } from './trees.ts';

/** Recomputes everything derived. Each page is one statement, so it is consistent while the service writes. */
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
