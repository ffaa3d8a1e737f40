import { readClockMark } from '../../db/clock.ts';
import { DatabaseUnavailable, type Db } from '../../db/db.ts';
import { openPostgres } from '../../db/postgres.ts';
import { readReplayed } from '../../platform/standby/standby-store.ts';
import type { Config } from '../../settings/config.ts';

const STATEMENT_MS = 5_000;
const OLD_MS = 60_000;

/** Why the standby of DATABASE_READ_URL answers no lists; undefined: it does, or none is set. */
export async function standbyFault(config: Config, primary: Db): Promise<string | undefined> {
  const { databaseReadUrl: url } = config.secrets;
  if (url === undefined) return undefined;
  const standby = openPostgres({
    url,
    pooler: config.standbyPooler,
    poolSize: 1,
    standby: true,
    statementTimeout: STATEMENT_MS,
  });
  try {
    const newest = await readClockMark(primary);
    const { at } = await standby.tx(readReplayed, { snapshot: true });
    const behind = (newest ?? -Infinity) - at;
    return behind > OLD_MS ? `its copy is ${Math.round(behind / 1000)} s older than the primary` : undefined;
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) return (error as Error).message;
    return error.reason ?? error.message;
  } finally {
    await standby.close();
  }
}
