import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Queryable } from './db.ts';

/**
 * The database's clock (docs/decisions/0003-one-clock.md). Each process measures its offset and runs a monotonic
 * counter in between. A step counts only if a second source confirms it, because a reveal cannot be undone. After
 * a step back, time never falls below a time at which a text may have been revealed.
 */
export interface Clock {
  /** ms since 1970; never decreases */
  now(): number;
}

export interface DatabaseClock extends Clock {
  measure(): Promise<void>;
  problem(): string | undefined;
  /** 0 unless a step is not confirmed */
  unconfirmedStepMs(): number;
}

export interface ClockSources {
  own?: () => number;
  /** time of the newest block; read only if the clocks disagree */
  chainHead?: () => Promise<number | undefined>;
}

/** A smaller difference is drift. */
export const STEP_MS = 2_000;
export const APART_MS = 10_000;
const HEAD_AGE_MS = 15_000;
const HEAD_PATIENCE_MS = 3_000;
const DRIFT_LIMIT_MS = 500;
const STALE_AFTER_MS = 60_000;
const DRIFT_REPORTED_FOR_MS = 30_000;

const monotonic = (): number => performance.now();

export async function startDatabaseClock(
  db: Queryable,
  { own = Date.now, chainHead = async () => undefined }: ClockSources = {},
): Promise<DatabaseClock> {
  /** `offset`: database minus monotonic counter; `ownAhead`: machine minus database */
  let accepted: { offset: number; ownAhead: number } | undefined;
  let unconfirmed: { by: number; ahead: boolean } | undefined;
  let measuredAt = 0;
  let drift: { by: number; at: number } | undefined;
  let floor = (await readClockMark(db)) ?? -Infinity;

  const accept = (offset: number): void => {
    accepted = { offset, ownAhead: own() - (monotonic() + offset) };
    unconfirmed = undefined;
  };
  const running = (): number => monotonic() + accepted!.offset;

  async function chainSupports(time: number, from: number): Promise<boolean> {
    const late = sleep(HEAD_PATIENCE_MS, undefined, { ref: false });
    const head = await Promise.race([chainHead().catch(() => undefined), late]);
    if (head === undefined) return false;
    return time > from ? head > from + STEP_MS && head > time - HEAD_AGE_MS : near(head, time, HEAD_AGE_MS);
  }

  async function begin(found: number): Promise<void> {
    const time = monotonic() + found;
    if (near(own(), time, APART_MS) || (await chainSupports(time, Math.min(own(), time))))
      return accept(found);
    // Use the earlier time: an early reveal cannot be undone.
    const offset = Math.min(found, own() - monotonic());
    accept(offset);
    unconfirmed = { by: Math.round(found - offset), ahead: found > offset };
  }

  async function follow(found: number, uncertainty: number): Promise<void> {
    const step = found - accepted!.offset;
    if (Math.abs(step) > DRIFT_LIMIT_MS + uncertainty) drift = { by: Math.round(step), at: monotonic() };
    if (Math.abs(step) > STEP_MS + uncertainty) {
      const time = monotonic() + found;
      const ownAgrees =
        near(own(), time, STEP_MS) || near(own() - accepted!.ownAhead, time, STEP_MS + uncertainty);
      if (!ownAgrees && !(await chainSupports(time, running()))) {
        unconfirmed = { by: Math.round(step), ahead: step > 0 };
        return;
      }
      floor = Math.max(floor, running());
      return accept(found);
    }
    // A slow answer is imprecise.
    accept(Math.abs(step) > uncertainty ? found : accepted!.offset);
  }

  const clock: DatabaseClock = {
    now: () => Math.floor(Math.max(floor, running())),
    async measure() {
      const before = monotonic();
      const at = await readDatabaseTime(db);
      const after = monotonic();
      const found = at - (before + after) / 2;
      if (accepted === undefined) await begin(found);
      else await follow(found, (after - before) / 2);
      measuredAt = after;
      if (!unconfirmed) await writeClockMark(db, clock.now());
    },
    unconfirmedStepMs: () => unconfirmed?.by ?? 0,
    problem() {
      const age = monotonic() - measuredAt;
      if (age > STALE_AFTER_MS) return `the database's clock was not read for ${Math.round(age / 1000)} s`;
      if (unconfirmed) {
        const by = `${Math.round(Math.abs(unconfirmed.by) / 1000)} s ${unconfirmed.ahead ? 'ahead of' : 'behind'}`;
        return `the database's clock is ${by} the time measured before, and neither this machine's clock nor the chain confirms it: nothing is revealed or closed until one does; synchronize the clocks (NTP)`;
      }
      const behind = floor - running();
      if (behind > STEP_MS)
        return `the clocks went back by ${Math.round(behind / 1000)} s: the service's time waits until they catch up, so that no revealed text is sealed again`;
      if (drift && monotonic() - drift.at < DRIFT_REPORTED_FOR_MS) {
        return `this process drifted by ${drift.by} ms from the database's clock`;
      }
      return undefined;
    },
  };
  await clock.measure();
  return clock;
}

const near = (a: number, b: number, by: number): boolean => Math.abs(a - b) <= by;

export const toTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

export async function readDatabaseTime(db: Queryable): Promise<number> {
  const [row] = await db.query<{ at: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::text as at`,
  );
  return Number(row!.at);
}

/** The newest time used by any process, ms since 1970. */
export async function readClockMark(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ at: string | null }>(sql`
    select (extract(epoch from newest) * 1000)::text as at from clock_mark`);
  return row?.at == null ? undefined : Number(row.at);
}

export const writeClockMark = (db: Queryable, now: number) =>
  db.query(sql`
    update clock_mark set newest = ${toTime(now)} where newest is null or newest < ${toTime(now)}::timestamptz`);
