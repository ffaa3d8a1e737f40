import sql from 'sql-template-tag';
import type { Queryable } from './db.ts';

/**
 * The service's one clock is the database's (DECISIONS.md §2): each process measures its offset to it. Between
 * measurements a monotonic counter runs on, so that a step of the machine's clock changes nothing.
 */
export interface Clock {
  /** milliseconds since 1970, of the database */
  now(): number;
}

export interface DatabaseClock extends Clock {
  measure(): Promise<void>;
  /** Why times cannot be trusted now, or undefined. */
  problem(): string | undefined;
}

const DRIFT_LIMIT_MS = 500;
const STALE_AFTER_MS = 60_000;
const DRIFT_REPORTED_FOR_MS = 30_000;

const monotonic = (): number => performance.now();

export async function startDatabaseClock(db: Queryable): Promise<DatabaseClock> {
  let offset: number | undefined;
  let measuredAt = 0;
  let drift: { by: number; at: number } | undefined;

  const clock: DatabaseClock = {
    now: () => Math.floor(monotonic() + (offset ?? 0)),
    async measure() {
      const before = monotonic();
      const [row] = await db.query<{ at: string }>(
        sql`select (extract(epoch from clock_timestamp()) * 1000)::text as at`,
      );
      const after = monotonic();
      const found = Number(row!.at) - (before + after) / 2;
      const uncertainty = (after - before) / 2;
      if (offset !== undefined && Math.abs(found - offset) > DRIFT_LIMIT_MS + uncertainty) {
        drift = { by: Math.round(found - offset), at: after };
      }
      // A slow answer measures badly: keep what we have unless it is clearly wrong.
      if (offset === undefined || Math.abs(found - offset) > uncertainty) offset = found;
      measuredAt = after;
    },
    problem() {
      const age = monotonic() - measuredAt;
      if (age > STALE_AFTER_MS) return `the database's clock was not read for ${Math.round(age / 1000)} s`;
      if (drift && monotonic() - drift.at < DRIFT_REPORTED_FOR_MS) {
        return `this process drifted by ${drift.by} ms from the database's clock`;
      }
      return undefined;
    },
  };
  await clock.measure();
  return clock;
}

/** `2026-01-02T03:04:05.678Z` of milliseconds since 1970. */
export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
