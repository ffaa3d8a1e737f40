// The settings of a database session, and a check that a pooler keeps them.
import type pg from 'pg';
import sql from 'sql-template-tag';
import { DatabaseUnavailable, type Queryable, type TxOptions } from './db.ts';

/** `transaction`: a pooler gives each transaction any free session. */
export type Pooler = 'none' | 'transaction';

interface SessionOptions {
  statementTimeout: number;
  parameters?: Readonly<Record<string, string | number>> | undefined;
  reading?: boolean;
}

export interface Sessions {
  readonly opening: Pick<
    pg.PoolConfig,
    'statement_timeout' | 'idle_in_transaction_session_timeout' | 'options'
  >;
  begin(options: TxOptions): string;
  /** settings and prepared statements survive between statements */
  readonly kept: boolean;
}

/**
 * Hot statements take keys as an array, whose length PostgreSQL guesses. Plan once, and force an index lookup: a
 * kept plan may come from an empty table.
 */
export const KEEP_PLANS_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  jit: 'off',
};

const KEEP_PLANS = local(KEEP_PLANS_SETTINGS);

/**
 * A paused process keeps its locks. Its session ends before the leader's lease expires (anchoring/rules.ts), so
 * that the next leader is not blocked.
 */
export const IDLE_IN_TRANSACTION_MS = 8_000;

/**
 * The code reads and writes values in these forms, and waits for locks until the statement timeout. A database or
 * role may have other settings (alter database … set …).
 */
const RELIED_ON = {
  timezone: 'UTC',
  datestyle: 'ISO',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  extra_float_digits: 1,
  lock_timeout: 0,
};
const ISOLATION = 'read committed';

/** Once at a start: a proxy may drop what a connection sets. @throws DatabaseUnavailable with the name of a setting */
export async function checkSession(db: Queryable): Promise<void> {
  const wanted = new Map(
    Object.entries({ ...RELIED_ON, client_encoding: 'UTF8', transaction_isolation: ISOLATION }),
  );
  const found = await db.query<{ name: string; setting: string }>(sql`
    select lower(name) as name, setting from pg_settings where lower(name) = any (${[...wanted.keys()]}::text[])`);
  for (const { name, setting } of found) {
    const value = String(wanted.get(name));
    // "ISO, MDY"
    if (setting.split(',')[0] === value) continue;
    throw new DatabaseUnavailable('the database has an unusable setting', {
      reason: `DATABASE_URL: ${name} is "${setting}" in the sessions of this role, and the service needs "${value}": remove the setting from the URL, or add ?pooler=transaction for a pooler that ignores the settings of a session`,
      permanent: true,
    });
  }
}

export function sessions(
  pooler: Pooler,
  { statementTimeout, parameters, reading = false }: SessionOptions,
): Sessions {
  const ours = { ...RELIED_ON, ...parameters };
  return pooler === 'none'
    ? keptSessions(statementTimeout, ours)
    : sharedSessions(statementTimeout, ours, reading);
}

function keptSessions(statementTimeout: number, ours: Readonly<Record<string, string | number>>): Sessions {
  return {
    opening: {
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      options: Object.entries({ ...ours, default_transaction_isolation: ISOLATION })
        .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`)
        .join(' '),
    },
    begin: ({ keepPlans, snapshot }) =>
      `begin${snapshot ? ' isolation level repeatable read, read only' : ''}${keepPlans ? `; ${KEEP_PLANS}` : ''}`,
    kept: true,
  };
}

/**
 * A pooler rejects startup options and shares sessions, so each transaction sets its own settings. Each also
 * states that it writes: on a server that became a standby the statement fails, and those behind it do nothing.
 */
function sharedSessions(
  statementTimeout: number,
  ours: Readonly<Record<string, string | number>>,
  reading: boolean,
): Sessions {
  const rest = [
    `set transaction ${reading ? 'read only' : 'read write'}`,
    local({
      ...ours,
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    }),
  ].join('; ');
  return {
    opening: {},
    begin: ({ snapshot }) => `begin isolation level ${snapshot ? 'repeatable read' : ISOLATION}; ${rest}`,
    kept: false,
  };
}

function local(parameters: Readonly<Record<string, string | number>>): string {
  const set = Object.entries(parameters).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `select ${set.join(', ')}`;
}

export const isStandbyError = (error: unknown): boolean => (error as { code?: unknown }).code === '0A000';
