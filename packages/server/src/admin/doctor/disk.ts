import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../settings/config.ts';
import { exists } from '../open.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

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
  try {
    await access(nearest, constants.W_OK | constants.X_OK);
  } catch {
    return fail(
      `${nearest} is not a folder that this user can write to`,
      'give it to the user of the service, or correct DATA_DIR or LEDGER_DIR',
    );
  }
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
