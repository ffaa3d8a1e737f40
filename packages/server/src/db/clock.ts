import { setTimeout as sleep } from 'node:timers/promises';
import { readClockMark, readDatabaseTime, writeClockMark } from './clock-store.ts';
import type { Queryable } from './db.ts';

/**
 * The service uses the database's clock (docs/decisions/0003-one-clock.md): each process measures its offset to it.
 * Between measurements a monotonic counter runs, so a step of the machine's clock has no effect. A reveal cannot be
 * undone, so a step of the database's clock is accepted only if a second source confirms it. After a step back, time
 * never falls below a time at which a text may have been revealed.
 */
export interface Clock {
  /** the database's time in milliseconds since 1970; never decreases */
  now(): number;
}

export interface DatabaseClock extends Clock {
  measure(): Promise<void>;
  /** Why the time cannot be trusted now. */
  problem(): string | undefined;
  /** Milliseconds between the database's clock and the time in use while a step is not confirmed; else 0. */
  unconfirmedStepMs(): number;
}

/** Sources that can confirm a step, in milliseconds since 1970. */
export interface ClockSources {
  own?: () => number;
  /** the time of the chain's newest block, or undefined; read only if the other clocks disagree */
  chainHead?: () => Promise<number | undefined>;
}

/** A larger difference is a step; a smaller one is drift. */
const STEP_MS = 2_000;
/** Clocks of two machines may differ by this much when a process starts. */
const APART_MS = 10_000;
/** The newest block of a running chain may be this old. */
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
  /** `offset`: database minus monotonic counter, as accepted; `ownAhead`: this machine's clock minus the database's */
  let accepted: { offset: number; ownAhead: number } | undefined;
  let unconfirmed: { by: number; ahead: boolean } | undefined;
  let measuredAt = 0;
  let drift: { by: number; at: number } | undefined;
  /** `now` never returns an earlier time */
  let floor = (await readClockMark(db)) ?? -Infinity;

  const accept = (offset: number): void => {
    accepted = { offset, ownAhead: own() - (monotonic() + offset) };
    unconfirmed = undefined;
  };
  const running = (): number => monotonic() + accepted!.offset;

  /** Whether the chain's newest block confirms a step from `from` to `time`. */
  async function chainSupports(time: number, from: number): Promise<boolean> {
    const late = sleep(HEAD_PATIENCE_MS, undefined, { ref: false });
    const head = await Promise.race([chainHead().catch(() => undefined), late]);
    if (head === undefined) return false;
    return time > from ? head > from + STEP_MS && head > time - HEAD_AGE_MS : near(head, time, HEAD_AGE_MS);
  }

  /** Compares the three clocks, since there is no earlier measurement. */
  async function begin(found: number): Promise<void> {
    const time = monotonic() + found;
    if (near(own(), time, APART_MS) || (await chainSupports(time, Math.min(own(), time))))
      return accept(found);
    // Take the earlier time: a late reveal can be made up for, an early one cannot.
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
    // A slow answer is imprecise: keep the offset unless it is clearly wrong.
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

function near(a: number, b: number, by: number): boolean {
  return Math.abs(a - b) <= by;
}

/** For example `2026-01-02T03:04:05.678Z`. */
export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
