// Runs the checks of `svc-admin doctor` in parallel. No check changes anything.
import type { Db } from '../../db/db.ts';
import { asObject, ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';
import { seenCheckpoint } from '../../proofs/log/ask-witness.ts';
import { logOrigin } from '../../proofs/log/tree-log.ts';
import type { Config } from '../../settings/config.ts';
import { checkBackups, checkDisk, checkOpenFiles } from './storage.ts';
import { checkBaseUrl, checkProxy, get } from './base-url.ts';
import { checkChain } from './chain.ts';
import { checkClock, checkDatabase } from './database.ts';
import { bounded, type Check, fail, type Finding, ok, warn } from './finding.ts';
import { checkIssuer } from './issuer.ts';
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
      bounded('open_files', async () => checkOpenFiles(config)),
      bounded('witnesses', () => checkWitnesses(config)),
    ]);
  } finally {
    await db?.close();
  }
}

const WITNESS_MS = 5_000;

async function checkWitnesses({
  witnessPolicy,
  baseUrl,
}: Pick<Config, 'witnessPolicy' | 'baseUrl'>): Promise<Finding> {
  const witnesses = witnessPolicy?.witnesses ?? [];
  const log = baseUrl === undefined ? undefined : await heldLog(baseUrl);
  if (typeof log?.['held'] === 'string')
    return fail(
      `the log of trees: ${log['held']}`,
      'wait until restored trees are adopted; else restore a later backup, or set WITNESS_POLICY to witnesses that saw the log',
    );
  if (typeof log?.['index_held'] === 'string')
    return fail(log['index_held'], 'run svc-admin fsck, and follow the page that is named');
  if (witnesses.length === 0 || baseUrl === undefined) return ok('WITNESS_POLICY names no witness');
  const faults = await Promise.all(
    witnesses.map(async (witness) => {
      const seen = await seenCheckpoint(witness, logOrigin(baseUrl), WITNESS_MS);
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

/** The running service answers, because only one process can open the embedded database. */
async function heldLog(baseUrl: string): Promise<Record<string, unknown> | undefined> {
  try {
    return asObject((await get(`${baseUrl}/status`)).body?.['log']);
  } catch (error) {
    if (error instanceof ProviderUnreachable) return undefined; // the check of BASE_URL reports it
    throw error;
  }
}
