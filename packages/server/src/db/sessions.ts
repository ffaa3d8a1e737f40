import type pg from 'pg';
import type { TxOptions } from './db.ts';

/** `transaction`: a pooler stands before the server and gives each transaction whichever session is free (PgBouncer). */
export type Pooler = 'none' | 'transaction';

interface Asked {
  /** milliseconds a statement may run; 0 without end */
  statementTimeout: number;
  /** parameters beside time zone and date style */
  parameters?: Readonly<Record<string, string | number>> | undefined;
  /** of standbys, which take no writes */
  reading?: boolean;
}

/** What is said to a session for our transactions, and what of it when the connection is opened. */
export interface Sessions {
  /** said when a connection is opened */
  readonly opening: Pick<
    pg.PoolConfig,
    'statement_timeout' | 'idle_in_transaction_session_timeout' | 'options'
  >;
  /** said at the start of a transaction, in one round trip */
  begin(options: TxOptions): string;
  /** Does the next statement find the session of the last one, and what was prepared and set there? */
  readonly kept: boolean;
}

/**
 * Hot statements look up keys, which they take as an array: by its guess of the array's length PostgreSQL would plan them
 * anew each time, which costs more than they do. A plan that is kept must suit a table that was empty when it was made, and the
 * embedded database never looks at its tables again: so each key is followed through an index, whatever else an empty table invites to.
 */
export const KEEPING_PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  jit: 'off',
};

/** Has the statements behind it keep their plans, until the transaction ends. */
export const KEEP_PLANS = local(KEEPING_PLANS);

/**
 * A process that was stopped in the middle of a transaction holds its locks: those of the accounts that were creating, and of what it
 * was sealing. The database ends it before the lease of a leader does (anchoring/rules.ts), so that whoever leads next finds work.
 */
export const IDLE_IN_TRANSACTION_MS = 8_000;

export function sessions(pooler: Pooler, { statementTimeout, parameters, reading = false }: Asked): Sessions {
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
 * A pooler refuses what a connection asks for as it opens, and whatever a session is told would be told to strangers. So each transaction
 * says it for itself. It also says that it may write: the pooler keeps our connection when the server behind it has become a standby,
 * whose answers are old. Refused that, the transaction has failed, and what is sent behind it does nothing.
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

/** Sets parameters until the transaction ends, by one statement. */
function local(parameters: Readonly<Record<string, string | number>>): string {
  const set = Object.entries(parameters).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `select ${set.join(', ')}`;
}

/** Said by a standby that is asked to take writes (the SQLSTATE is that of a feature it does not have). */
export function saysStandby(error: unknown): boolean {
  return (error as { code?: unknown }).code === '0A000';
}
