import type { Db } from '../../db/db.ts';
import type { Config } from '../../settings/config.ts';
import { checkBackups, checkDisk } from './storage.ts';
import { checkBaseUrl, checkProxy } from './base-url.ts';
import { checkChain } from './chain.ts';
import { checkClock, checkDatabase } from './database.ts';
import { bounded, type Check } from './finding.ts';
import { checkIssuer } from './issuer.ts';
import { checkWitnesses } from './witnesses.ts';
import { openDatabaseAsIs } from '../context.ts';

const STATEMENT_MS = 5_000;

export async function examine(config: Config): Promise<Check[]> {
  const db: Db | undefined =
    config.secrets.databaseUrl === undefined
      ? undefined // a running service has it open
      : await openDatabaseAsIs(config, { statementTimeout: STATEMENT_MS });
  try {
    return await Promise.all([
      bounded('database', () => checkDatabase(config, db)),
      bounded('clock', () => checkClock(db)),
      bounded('chain', () => checkChain(config, db)),
      bounded('issuer', () => checkIssuer(config)),
      bounded('proxy', () => checkProxy(config)),
      bounded('base_url', () => checkBaseUrl(config)),
      bounded('backups', () => checkBackups(config)),
      bounded('disk', () => checkDisk(config)),
      bounded('witnesses', () => checkWitnesses(config)),
    ]);
  } finally {
    await db?.close();
  }
}
