// The time of the last backup, in LEDGER_DIR.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../settings/config.ts';

interface LastBackup {
  made_at: string;
  folder: string;
}

const fileOf = (config: Config): string => join(dirname(config.erasureLedger), 'last-backup.json');

/** LEDGER_DIR keeps the record, because the backup's folder may move. */
export async function recordBackup(config: Config, folder: string, madeAt: string): Promise<void> {
  const last: LastBackup = { made_at: madeAt, folder: resolve(folder) };
  await writeFile(fileOf(config), `${JSON.stringify(last)}\n`, { mode: 0o600 });
}

export async function lastBackup(config: Config): Promise<LastBackup | undefined> {
  try {
    const last = JSON.parse(await readFile(fileOf(config), 'utf8')) as Partial<LastBackup> | null;
    const { made_at, folder } = last ?? {};
    if (typeof folder !== 'string' || Number.isNaN(Date.parse(made_at ?? ''))) return undefined;
    return { made_at: made_at!, folder };
  } catch {
    return undefined;
  }
}
