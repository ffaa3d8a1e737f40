import { join } from 'node:path';
import sql from 'sql-template-tag';
import { DatabaseUnavailable, type Db, type Queryable, StatementFailed } from '../../db/db.ts';
import { databaseUrls, isPooled } from '../../db/hosts.ts';
import { isMigrated, newestSchema } from '../../db/migrate.ts';
import { refuseLackingKeys, WrongSecretKeys } from '../../platform/secrets/secret-keys.ts';
import type { Config } from '../../settings/config.ts';
import { databaseFolder, exists, openKeyring } from '../context.ts';
import { fail, type Finding, ok, warn } from './finding.ts';
import { APART_MS, readClockMark, readDatabaseTime, STEP_MS } from '../../db/clock.ts';
import { standbyFault } from './standby.ts';

const OLDEST = 15;
const TO_POOLER = 'add ?pooler=transaction to DATABASE_URL, or let it name the server itself';

export async function checkDatabase(config: Config, db: Db | undefined): Promise<Finding> {
  const { databaseUrl } = config.secrets;
  if (db === undefined || databaseUrl === undefined) return checkEmbedded(config);
  try {
    return await checkPostgres(config, db, databaseUrl);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    if (config.databasePooler === 'none' && (await isPooled(databaseUrl).catch(() => false)))
      return fail('a pooler at DATABASE_URL rejects the connection', TO_POOLER);
    const [problem, ...mend] = (error.reason ?? error.message).split('; ');
    return fail(problem!, mend.join('; ') || 'correct DATABASE_URL, or start the database');
  }
}

async function checkEmbedded(config: Config): Promise<Finding> {
  const folder = databaseFolder(config);
  const made = (await exists(join(folder, 'PG_VERSION'))) ? '' : '; the first start creates it';
  const detail = `embedded database in ${folder}${made}`;
  return config.production
    ? warn(`${detail}; it survives no power cut`, 'set DATABASE_URL to a PostgreSQL server')
    : ok(detail);
}

async function checkPostgres(config: Config, db: Db, url: string): Promise<Finding> {
  const state = await readDatabaseState(db);
  const { role, schema } = state;
  const version = Math.floor(state.version / 10_000);
  const at = `PostgreSQL ${version} at ${serversOf(url)}`;
  if (version < OLDEST)
    return fail(`${at} is too old`, `use a server of PostgreSQL ${OLDEST} or newer (pg_upgrade)`);
  if (schema === null || !state.may_create)
    return fail(
      `${at}: role "${role}" may not create tables in schema "${schema ?? 'public'}"`,
      `run there: grant create, usage on schema ${schema ?? 'public'} to "${role}"`,
    );
  if (!state.has_trigrams && !state.may_add_trigrams)
    return fail(
      `${at}: the extension pg_trgm is missing, and role "${role}" may not create it`,
      'run there as a superuser: create extension pg_trgm (Debian: package postgresql-contrib)',
    );
  const denied = await tablesWithoutPrivilege(db);
  if (denied.length > 0)
    return fail(
      `${at}: role "${role}" does not own or may not write ${denied.length} tables, for example ${denied[0]}`,
      `run there: reassign owned by <the role that made the tables> to "${role}"`,
    );
  if (config.databasePooler === 'none' && (await isPooled(url)))
    return fail(`${at} is behind a pooler, but DATABASE_URL has no pooler=transaction`, TO_POOLER);
  return checkContent(config, db, at);
}

async function checkContent(config: Config, db: Db, at: string): Promise<Finding> {
  try {
    if (!(await isMigrated(db)))
      return warn(
        `${at} has not schema ${newestSchema()} of this version`,
        'start a service of this version once: it migrates the database',
      );
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error;
    return warn(`${at} is empty`, 'start the service once, or restore a backup first');
  }
  try {
    await refuseLackingKeys(db, await openKeyring(config));
  } catch (error) {
    if (!(error instanceof WrongSecretKeys)) throw error;
    return fail(error.message, 'put the missing key back into SECRET_KEYS, after the first');
  }
  const fault = await standbyFault(config, db);
  const detail = `${at}, schema ${newestSchema()}`;
  return fault === undefined
    ? ok(detail)
    : warn(
        `${detail}; its standby answers no lists, so the primary does: ${fault}`,
        'start the standby, or correct or unset DATABASE_READ_URL (docs/operating/several-machines.md)',
      );
}

function serversOf(url: string): string {
  const urls = databaseUrls(url).map((one) => new URL(one));
  return `${urls.map(({ host }) => host || 'the local socket').join(',')}${urls[0]!.pathname}`;
}

interface DatabaseState {
  /** 160004 is 16.4 */
  version: number;
  role: string;
  schema: string | null;
  may_create: boolean;
  has_trigrams: boolean;
  may_add_trigrams: boolean;
}

const readDatabaseState = async (db: Queryable): Promise<DatabaseState> =>
  (await db.first<DatabaseState>(sql`
    select current_setting('server_version_num')::integer as version, current_user::text as role,
      current_schema()::text as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      exists (select 1 from pg_extension where extname = 'pg_trgm') as has_trigrams,
      exists (select 1 from pg_available_extensions where name = 'pg_trgm')
        and has_database_privilege(current_database(), 'create') as may_add_trigrams`))!;

const tablesWithoutPrivilege = (db: Queryable) =>
  db.column<string>(sql`
    select relname::text as name from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema()) and relkind = 'r'
      and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')
        and pg_has_role(relowner, 'usage'))
    order by relname`);

const SYNCHRONIZE = 'synchronize the clocks of both machines (NTP): timedatectl set-ntp true';

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
const MEASURED_TIMES = 8;

/** The fastest of several answers: the first one includes the connection, and others wait for a busy machine. */
async function compareClocks(db: Db, own: () => number) {
  let best: { there: number; ahead: number; uncertainty: number } | undefined;
  for (let time = 0; time < MEASURED_TIMES; time++) {
    const before = own();
    const there = await readDatabaseTime(db);
    const after = own();
    const uncertainty = Math.abs(after - before) / 2;
    if (best === undefined || uncertainty < best.uncertainty)
      best = { there, ahead: there - (before + after) / 2, uncertainty };
  }
  return best!;
}

export async function checkClock(db: Db | undefined, own = Date.now): Promise<Finding> {
  if (db === undefined) return ok("the embedded database uses this machine's clock");
  try {
    const { there, ahead, uncertainty } = await compareClocks(db, own);
    const least = Math.abs(ahead) - uncertainty;
    const apart =
      least <= 0
        ? `the clocks of the database and of this machine agree within ${seconds(uncertainty)}`
        : `the database's clock is ${seconds(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} this machine's`;
    if (least > APART_MS) return fail(apart, SYNCHRONIZE);
    const mark = await readClockMark(db).catch(() => undefined);
    if (mark !== undefined && mark - there > STEP_MS)
      return fail(
        `the database's clock is ${Math.round((mark - there) / 1000)} s behind the time that the service used last`,
        `${SYNCHRONIZE}; the service's time waits until then`,
      );
    return least > STEP_MS ? warn(apart, SYNCHRONIZE) : ok(apart);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    return warn('not compared: the database does not answer', 'see the check of the database');
  }
}
