// Reads the states of records that open pages show, once a second while a page is open.
import { setTimeout as sleep } from 'node:timers/promises';
import { challengeState, etchState } from '@svc/web/live-state';
import type { Clock } from '../../db/clock.ts';
import type { Queryable } from '../../db/db.ts';
import { findChallengeStates } from '../../challenges/store.ts';
import { isClosed } from '../../challenges/view.ts';
import { chainStates } from '../../etches/chain-view.ts';
import { findEtchStates } from '../../etches/store.ts';
import { statusAt } from '../../etches/row.ts';

const POLL_MS = 1_000;

type Listener = (state: string) => void;

export interface StateWatch {
  add(subject: WatchedRecord, listener: Listener): () => void;
  close(): void;
}

/** Makes no query without listeners, and one read per subject. */
export function createStateWatch(deps: {
  db: Queryable;
  clock: Clock;
  log: { warn(details: object, message: string): void };
}): StateWatch {
  const listeners = new Map<WatchedRecord, Set<Listener>>();
  const closed = new AbortController();
  let polling = false;

  async function poll(): Promise<void> {
    polling = true;
    while (listeners.size > 0 && !closed.signal.aborted) {
      await round();
      await sleep(POLL_MS, undefined, { signal: closed.signal, ref: false }).catch(() => undefined);
    }
    polling = false;
  }

  async function round(): Promise<void> {
    try {
      for (const [subject, state] of await readStates(deps, [...listeners.keys()])) {
        for (const listener of listeners.get(subject) ?? []) listener(state);
      }
    } catch (error) {
      // The next round tries again.
      deps.log.warn({ reason: (error as Error).message }, 'the states of open pages could not be read');
    }
  }

  return {
    add(subject, listener) {
      const known = listeners.get(subject) ?? new Set();
      listeners.set(subject, known.add(listener));
      if (!polling) void poll();
      return () => {
        known.delete(listener);
        if (known.size === 0 && listeners.get(subject) === known) listeners.delete(subject);
      };
    },
    close: () => closed.abort(),
  };
}

export type WatchedRecord = `${'etch' | 'challenge'} ${string}`;

export async function readStates(
  { db, clock }: { db: Queryable; clock: Clock },
  subjects: readonly WatchedRecord[],
): Promise<Map<WatchedRecord, string>> {
  const idsOf = (kind: string): string[] =>
    subjects.filter((subject) => subject.startsWith(kind)).map((subject) => subject.slice(kind.length));
  const [etchIds, challengeIds] = [idsOf('etch '), idsOf('challenge ')];
  const [etches, challenges] = await Promise.all([
    etchIds.length > 0 ? findEtchStates(db, etchIds) : [],
    challengeIds.length > 0 ? findChallengeStates(db, challengeIds) : [],
  ]);
  const now = clock.now();
  return new Map<WatchedRecord, string>([
    ...etches.map((row): [WatchedRecord, string] => [
      `etch ${row.id}`,
      etchState({ status: statusAt(row, now), chain: chainStates(row, row, now) }),
    ]),
    ...challenges.map((row): [WatchedRecord, string] => [
      `challenge ${row.id}`,
      challengeState({ closed: isClosed(row, now) }, row),
    ]),
  ]);
}
