// The checks of disk space, open files and backups.
import { constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../settings/config.ts';
import { fail, type Finding, ok, warn } from './finding.ts';
import { judgeOpenFiles } from '../../service/start/open-files.ts';
import { openFilesLimit } from '../../settings/environment.ts';
import { lastBackup } from '../../vitals/last-backup.ts';
import { exists } from '../context.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

export async function checkDisk(config: Config): Promise<Finding> {
  const findings = await Promise.all(
    [...new Set([config.dataDir, dirname(config.erasureLedger)])].map(checkFolder),
  );
  return (
    findings.find(({ status }) => status === 'fail') ??
    findings.find(({ status }) => status === 'warn') ??
    ok(findings.map(({ detail }) => detail).join('; '))
  );
}

async function checkFolder(folder: string): Promise<Finding> {
  const nearest = await existing(folder);
  if (!(await exists(nearest, constants.W_OK | constants.X_OK)))
    return fail(
      `${nearest} is not a folder that this user can write to`,
      'give it to the user of the service, or correct DATA_DIR or LEDGER_DIR',
    );
  const { bavail, blocks, bsize } = await statfs(nearest);
  return judgeSpace(folder, bavail * bsize, blocks * bsize);
}

export function judgeSpace(folder: string, free: number, size: number): Finding {
  const share = Math.floor((free / size) * 100);
  const detail = `${folder}: ${(free / GIB).toFixed(1)} GiB (${share} %) free`;
  const mend = 'free space or enlarge the disk before it is full: then nothing can be etched';
  if (free < 256 * MIB) return fail(detail, mend);
  return free < GIB || share < 5 ? warn(detail, mend) : ok(detail);
}

async function existing(path: string): Promise<string> {
  return (await exists(path)) || dirname(path) === path ? path : existing(dirname(path));
}

/** Checks the limit of this process, which should run as the user of the service. */
export function checkOpenFiles({ secrets }: Config): Finding {
  const { status, detail, mend } = judgeOpenFiles(openFilesLimit(), {
    embedded: secrets.databaseUrl === undefined,
  });
  return status === 'ok' ? ok(detail) : { status, detail, mend };
}

const HOUR_MS = 3_600_000;
/** Allows a daily backup to be late. */
const OLD_HOURS = 30;
const DAILY = 'run svc-admin backup every day';

export async function checkBackups(config: Config, now = Date.now): Promise<Finding> {
  const ledgers = [config.erasureLedger, config.revocationLedger];
  const folder = dirname(config.erasureLedger);
  const missing: string[] = [];
  for (const ledger of ledgers) {
    if (!(await exists(ledger))) missing.push(ledger);
    else if (!(await exists(ledger, constants.W_OK)))
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
