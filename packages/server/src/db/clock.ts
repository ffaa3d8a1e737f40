import { setTimeout as sleep } from 'node:timers/promises';
import { readClockMark, readDatabaseTime, writeClockMark } from './clock-store.ts';
import type { Queryable } from './db.ts';

/**
 * The service's one clock is the database's (docs/decisions/0003-one-clock.md): each process measures its offset to it.
 * Between measurements a monotonic counter runs on, so that a step of the machine's clock changes nothing. What opens
 * does so for ever, so a step of the database's clock is believed only when a second source tells of it too, and no
 * step back is followed below a time at which something may have been opened.
 */
export interface Clock {
  /** milliseconds since 1970, of the database; never less than it was */
  now(): number;
}

export interface DatabaseClock extends Clock {
  measure(): Promise<void>;
  /** Why times cannot be trusted now, or undefined. */
  problem(): string | undefined;
  /** By how many milliseconds the database's clock steps off the time that is used; 0 when they are one. */
  heldBy(): number;
}

/** What a step of the database's clock is compared with. Milliseconds since 1970. */
export interface ClockSources {
  /** this machine's own clock */
  own?: () => number;
  /** the time of the chain's newest block; undefined where it cannot be had. Asked only when the others disagree. */
  chainHead?: () => Promise<number | undefined>;
}

/** More than this is a step, and not a clock that is set a little. */
const STEP_MS = 2_000;
/** Clocks of two machines may differ by so much when a process starts, and neither is suspected. */
const APART_MS = 10_000;
/** A chain's newest block may be this old on a chain that goes on. */
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
  /** of the database to the monotonic counter, as it is believed; and of this machine's clock to the database's */
  let believed: { offset: number; ownAhead: number } | undefined;
  let held: { by: number; ahead: boolean } | undefined;
  let measuredAt = 0;
  let drift: { by: number; at: number } | undefined;
  /** no time before this one is told any more */
  let floor = (await readClockMark(db)) ?? -Infinity;

  const believe = (offset: number): void => {
    believed = { offset, ownAhead: own() - (monotonic() + offset) };
    held = undefined;
  };
  const running = (): number => monotonic() + believed!.offset;

  /** The chain's newest block tells that the running time is behind `time`, and `time` not ahead of the block. */
  async function chainSupports(time: number, from: number): Promise<boolean> {
    const late = sleep(HEAD_PATIENCE_MS, undefined, { ref: false });
    const head = await Promise.race([chainHead().catch(() => undefined), late]);
    if (head === undefined) return false;
    return time > from ? head > from + STEP_MS && head > time - HEAD_AGE_MS : near(head, time, HEAD_AGE_MS);
  }

  /** The first measurement has nothing to be a step from: the three clocks are compared as they stand. */
  async function begin(found: number): Promise<void> {
    const time = monotonic() + found;
    if (near(own(), time, APART_MS) || (await chainSupports(time, Math.min(own(), time))))
      return believe(found);
    // Waiting too long can be mended, opening too early cannot.
    const offset = Math.min(found, own() - monotonic());
    believe(offset);
    held = { by: Math.round(found - offset), ahead: found > offset };
  }

  async function follow(found: number, uncertainty: number): Promise<void> {
    const step = found - believed!.offset;
    if (Math.abs(step) > DRIFT_LIMIT_MS + uncertainty) drift = { by: Math.round(step), at: monotonic() };
    if (Math.abs(step) > STEP_MS + uncertainty) {
      const time = monotonic() + found;
      const ownAgrees =
        near(own(), time, STEP_MS) || near(own() - believed!.ownAhead, time, STEP_MS + uncertainty);
      if (!ownAgrees && !(await chainSupports(time, running()))) {
        held = { by: Math.round(step), ahead: step > 0 };
        return;
      }
      floor = Math.max(floor, running());
      return believe(found);
    }
    // A slow answer measures badly: keep what we have unless it is clearly wrong.
    believe(Math.abs(step) > uncertainty ? found : believed!.offset);
  }

  const clock: DatabaseClock = {
    now: () => Math.floor(Math.max(floor, running())),
    async measure() {
      const before = monotonic();
      const at = await readDatabaseTime(db);
      const after = monotonic();
      const found = at - (before + after) / 2;
      if (believed === undefined) await begin(found);
      else await follow(found, (after - before) / 2);
      measuredAt = after;
      if (!held) await writeClockMark(db, clock.now());
    },
    heldBy: () => held?.by ?? 0,
    problem() {
      const age = monotonic() - measuredAt;
      if (age > STALE_AFTER_MS) return `the database's clock was not read for ${Math.round(age / 1000)} s`;
      if (held) {
        const by = `${Math.round(Math.abs(held.by) / 1000)} s ${held.ahead ? 'ahead of' : 'behind'}`;
        return `the database's clock is ${by} the time that was measured before, and neither this machine's clock nor the chain agrees: nothing is opened or closed by it until one does; set the clocks (NTP)`;
      }
      const behind = floor - running();
      if (behind > STEP_MS)
        return `the clocks went back by ${Math.round(behind / 1000)} s: time stands still until they have caught up, so that nothing opened is sealed again`;
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

/** `2026-01-02T03:04:05.678Z` of milliseconds since 1970. */
export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
