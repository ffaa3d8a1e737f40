// Reads lists and searches from a standby if its answer equals the primary's (docs/decisions/0023-standbys-answer-
// lists.md).
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, toTime, writeClockMark } from '../../db/clock.ts';
import { type Db, DatabaseUnavailable, type Queryable } from '../../db/db.ts';
import { Failure } from '../failure.ts';
import { coalesce } from '../flow/coalesce.ts';
import { confirmShownRows, type ShownRows, readPublicState, readReplayed } from './standby-store.ts';

export interface StandbyRead {
  check(tx: Queryable): Promise<void>;
  tx<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  shows(hits: Partial<ShownRows>): void;
}

type FallbackReason = 'down' | 'due' | 'wrote' | 'behind' | 'old' | 'failed' | 'changed';

export interface StandbyStatus {
  problem?: string;
  ageSeconds: number | null;
  lists: Readonly<Record<'standby' | FallbackReason, number>>;
}

/** docs/decisions/0023-standbys-answer-lists.md */
export interface Standby {
  readonly db: Db;
  /** `there` if the primary confirms the answer, else `here`. */
  read<T>(
    callerId: string | undefined,
    there: (reading: StandbyRead) => Promise<T>,
    here: () => Promise<T>,
  ): Promise<T>;
  /** Every second: writes a clock mark and checks how far this standby is. */
  watch(): Promise<void>;
  status(): StandbyStatus;
}

interface StandbyOptions {
  primary: Db;
  standby: Db;
  clock: Clock & { problem?: () => string | undefined };
  maxAge: number;
  log: { warn(fields: object, message: string): void; info(message: string): void };
}

const PATIENCE_MS = 2_000;

/** After this time a write is committed and indexed. */
const INDEXED_MS = 5_000;

class NotOnStandby extends Error {
  readonly why: FallbackReason;
  constructor(why: FallbackReason) {
    super(`not on the standby: ${why}`);
    this.why = why;
  }
}

export function createStandby({ primary, standby, clock, maxAge, log }: StandbyOptions): Standby {
  const lists = { standby: 0, down: 0, due: 0, wrote: 0, behind: 0, old: 0, failed: 0, changed: 0 };
  let problem: string | undefined = 'it was not checked yet';
  let age: number | null = null;
  /** aborted when the standby goes down */
  let up = newSignal();
  let checking: Promise<void> | undefined;

  const logged = new Set<string>();
  /** @param now public: names no host @param reason for the log */
  const found = (now: string | undefined, reason = now): void => {
    if (reason !== undefined && !logged.has(reason)) {
      logged.add(reason);
      log.warn({ reason }, 'the standby of DATABASE_READ_URL answers no lists now: the primary does');
    }
    if (now !== undefined && problem === undefined) up.abort();
    if (now === undefined) logged.clear();
    if (now === undefined && problem !== undefined) {
      log.info('the standby of DATABASE_READ_URL answers lists');
      up = newSignal();
    }
    problem = now;
  };

  const publicState = coalesce(
    async (callers: readonly (string | undefined)[]) => {
      const now = clock.now();
      const answer = await readPublicState(primary, {
        now: toTime(now),
        since: toTime(now - maxAge - INDEXED_MS),
        callers: [...new Set(callers)].filter((id) => id !== undefined),
      });
      return callers.map(() => answer);
    },
    { slots: 1, most: 1_000 },
  );

  const confirmed = coalesce(
    async (requested: readonly ShownRows[]) => {
      const answer = await confirmShownRows(primary, toTime(clock.now()), {
        etches: requested.flatMap(({ etches }) => etches),
        accounts: requested.flatMap(({ accounts }) => accounts),
      });
      return requested.map(() => answer);
    },
    { slots: 1, most: 100 },
  );

  async function check(tx: Queryable, state: string): Promise<void> {
    const replayed = await readReplayed(tx);
    if (replayed.state !== state) throw new NotOnStandby('behind');
    if (clock.now() - replayed.at > maxAge) throw new NotOnStandby('old');
  }

  async function tryStandby<T>(
    callerId: string | undefined,
    there: (reading: StandbyRead) => Promise<T>,
  ): Promise<{ answer: T } | FallbackReason> {
    if (problem !== undefined) return 'down';
    const { state, due, writers } = await publicState(callerId);
    // Without etches the state is empty, also in an old copy.
    if (state === '') return 'behind';
    if (due) return 'due';
    if (callerId !== undefined && writers.has(callerId)) return 'wrote';
    const hits: { [Kind in keyof ShownRows]: ShownRows[Kind][number][] } = { etches: [], accounts: [] };
    const reading: StandbyRead = {
      check: (tx) => check(tx, state),
      tx: (work) =>
        standby.tx(
          async (tx) => {
            await check(tx, state);
            return work(tx);
          },
          { snapshot: true },
        ),
      shows({ etches = [], accounts = [] }) {
        hits.etches.push(...etches);
        hits.accounts.push(...accounts);
      },
    };
    let answer: T;
    try {
      answer = await whileUp(there(reading), up.signal);
    } catch (error) {
      if (error instanceof Failure) throw error;
      if (error instanceof DatabaseUnavailable) found('it cannot be reached', error.reason);
      return error instanceof NotOnStandby ? error.why : 'failed';
    }
    const after = await confirmed(hits);
    const isCurrent = ![...hits.etches, ...hits.accounts].some(({ id }) => after.gone.has(id));
    return after.state === state && !after.due && isCurrent ? { answer } : 'changed';
  }

  async function checkStandby(): Promise<void> {
    try {
      const { at } = await standby.tx(readReplayed, { snapshot: true });
      age = Math.max(0, clock.now() - at);
      found(age > maxAge ? `its copy is ${Math.round(age / 1000)} s old` : undefined);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) found('it cannot be reached', error.reason);
      else found((error as Error).message);
    }
  }

  return {
    db: standby,
    async read(callerId, there, here) {
      const result = await tryStandby(callerId, there);
      if (typeof result === 'string') {
        lists[result]++;
        return here();
      }
      lists.standby++;
      return result.answer;
    },
    async watch() {
      const clocks = clock.problem?.();
      // Then the copy's age is unknown.
      if (clocks !== undefined) return found('the clocks disagree');
      await writeClockMark(primary, clock.now());
      checking ??= checkStandby().finally(() => (checking = undefined));
      const late = sleep(PATIENCE_MS, 'late' as const, { ref: false });
      if ((await Promise.race([checking, late])) === 'late') found('it does not answer');
    },
    status: () => ({
      ...(problem !== undefined && { problem }),
      ageSeconds: age === null ? null : age / 1000,
      lists: { ...lists },
    }),
  };
}

function newSignal(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

function whileUp<T>(work: Promise<T>, up: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const down = (): void => reject(new NotOnStandby('down'));
    if (up.aborted) down();
    up.addEventListener('abort', down, { once: true });
    work.then(resolve, reject).finally(() => up.removeEventListener('abort', down));
  });
}
