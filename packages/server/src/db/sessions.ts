import type pg from 'pg';
import type { TxOptions } from './db.ts';

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

export function sessions(
  pooler: Pooler,
  { statementTimeout, parameters, reading = false }: SessionOptions,
): Sessions {
  const ours = { timezone: 'UTC', datestyle: 'ISO', ...parameters };
  return pooler === 'none'
    ? keptSessions(statementTimeout, ours)
    : sharedSessions(statementTimeout, ours, reading);
}

function keptSessions(statementTimeout: number, ours: Readonly<Record<string, string | number>>): Sessions {
  return {
    opening: {
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      options: Object.entries(ours)
        .map(([name, value]) => `-c ${name}=${value}`)
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
    begin: ({ snapshot }) => `begin${snapshot ? ' isolation level repeatable read' : ''}; ${rest}`,
    kept: false,
  };
}

function local(parameters: Readonly<Record<string, string | number>>): string {
  const set = Object.entries(parameters).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `select ${set.join(', ')}`;
}

export const isStandbyError = (error: unknown): boolean => (error as { code?: unknown }).code === '0A000';
