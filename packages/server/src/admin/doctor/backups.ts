import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../settings/config.ts';
import { lastBackup } from '../../vitals/last-backup.ts';
import { exists } from '../open.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

const HOUR_MS = 3_600_000;
/** Allows a daily backup to be late. */
const OLD_HOURS = 30;
const DAILY = 'run svc-admin backup every day (docs/operating/backup.md)';

export async function checkBackups(config: Config, now = Date.now): Promise<Finding> {
  const ledgers = [config.erasureLedger, config.revocationLedger];
  const folder = dirname(config.erasureLedger);
  const missing: string[] = [];
  for (const ledger of ledgers) {
    if (!(await exists(ledger))) missing.push(ledger);
    else if (!(await isWritable(ledger)))
      return fail(
        `the ledger ${ledger} is not writable for this user`,
        'give the file to the user of the service, and run doctor as that user',
      );
  }
  if (missing.length === 1)
    return fail(
      `the ledger ${missing[0]} is missing: a restored backup would bring back what it lists`,
      'put back the copy of the ledger, then restart the service',
    );
  if (missing.length > 0)
    return warn(
      `no ledgers in ${folder}`,
      'start the service once: it creates them; if it ran before, correct LEDGER_DIR or put the copies back',
    );
  const last = await lastBackup(config);
  if (last === undefined) return warn(`ledgers in ${folder}; no backup is recorded there`, DAILY);
  const hours = (now() - Date.parse(last.made_at)) / HOUR_MS;
  const detail = `ledgers in ${folder}; the last backup is ${Math.round(hours)} hours old: ${last.folder}`;
  return hours <= OLD_HOURS ? ok(detail) : fail(detail, DAILY);
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
