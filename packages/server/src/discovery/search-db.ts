// Limits searches in number and time, and indexes due texts before a search.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'sql-template-tag';
import { type Db, type Queryable, StatementFailed } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { createSlots } from '../platform/flow/slots.ts';
import { type Clock, toTime } from '../db/clock.ts';
import { coalesce } from '../platform/flow/coalesce.ts';
import { indexQueued, isBehind, readBacklog } from '../search-index/index-store.ts';
import { NOT_BEHIND } from '../search-index/names-store.ts';
import type { ViewContext } from '../etches/view.ts';
import type { StandbyRead, Standby } from '../platform/standby/standby.ts';

/** Limits searches in number and time; total and page share one snapshot. */
interface SearchDb {
  /** `heavy` scans texts. @throws Failure service_unavailable if too many or too slow */
  run<T>(heavy: boolean, work: (db: Queryable) => Promise<T>): Promise<T>;
  ask<T>(heavy: boolean, work: (db: Queryable) => Promise<T>): Promise<T>;
  by(who: string): SearchDb;
}

const CANCELLED = '57014';

/** A caller gets at most all slots but one. */
export function createSearchDb(db: Db, slots = 3): SearchDb {
  const heavySlots = createSlots({ slots, share: slots - 1, queue: 64, patience: 5_000, what: 'searches' });
  const lightSlots = createSlots({ slots: 8, share: 6, queue: 256, patience: 5_000, what: 'searches' });
  const by = (who = ''): SearchDb => {
    const inSlot = async <T>(heavy: boolean, work: () => Promise<T>): Promise<T> => {
      try {
        return await (heavy ? heavySlots : lightSlots).run(work, who);
      } catch (error) {
        if (error instanceof StatementFailed && error.code === CANCELLED) {
          throw new Failure('service_unavailable', 'the search timed out: use a more specific term');
        }
        throw error;
      }
    };
    return {
      by,
      run: (heavy, work) => inSlot(heavy, () => db.tx(work, { snapshot: true })),
      ask: (heavy, work) => inSlot(heavy, () => work(db)),
    };
  };
  return by();
}

/** A request waits at most this long for due reveals, then fails with 503. */
const PATIENCE_MS = 5_000;
/** The indexer writes the rest within a second. */
const CATCH_UP_BATCHES = 1;

interface Freshness {
  /** Waits until every text due by `now` can be found. @throws Failure service_unavailable */
  (now: number): Promise<void>;
  behind(now: number): Sql;
}

const FRESH: Freshness = Object.assign(() => Promise.resolve(), { behind: () => NOT_BEHIND });

type RevealDue = (now: number) => Promise<number>;

/** Works without the scheduler (docs/specification.md#states-and-transitions). */
export function createFreshness(db: Db, revealDue: RevealDue): Freshness {
  const shared = coalesce<number, void>(
    async (nows) => {
      await indexDueTexts(db, revealDue, Math.max(...nows));
      return nows.map(() => undefined);
    },
    { slots: 1, most: 1_000 },
  );
  return Object.assign((now: number) => shared(now), { behind: (now: number) => isBehind(toTime(now)) });
}

async function indexDueTexts(db: Db, revealDue: RevealDue, now: number): Promise<void> {
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    const { due, queued } = await readBacklog(db, toTime(now));
    if (!due) {
      if (queued) await indexQueued(db, { batches: CATCH_UP_BATCHES, wait: true });
      return;
    }
    // A different process writes the rest.
    if ((await revealDue(now)) === 0) await sleep(20);
    if (performance.now() > giveUp) {
      throw new Failure('service_unavailable', 'many texts have just become public: try again in a moment');
    }
  }
}

/** A known total only selects the cheapest way; it is never an answer. */
export interface KnownTotals {
  get(question: string): number | undefined;
  set(question: string, total: number): void;
}

export function createKnownTotals(most = 1_000): KnownTotals {
  const totals = new Map<string, number>();
  return {
    get: (question) => totals.get(question),
    set(question, total) {
      totals.delete(question);
      totals.set(question, total);
      if (totals.size > most) totals.delete(totals.keys().next().value!);
    },
  };
}

export interface SearchDependencies {
  searchDb: SearchDb;
  freshness: Freshness;
  clock: Clock;
  known: KnownTotals;
  view: ViewContext;
  standby?: { reads: Standby; searchDb: SearchDb };
  /** items that the primary confirms */
  shows?: StandbyRead['shows'];
}

/** Answers from the standby if the primary confirms the answer, else from the primary. */
export function readList<T>(
  from: SearchDependencies,
  callerId: string | undefined,
  list: (from: SearchDependencies) => Promise<T>,
): Promise<T> {
  const { standby, ...here } = from;
  if (!standby) return list(here);
  const there = (reading: StandbyRead): Promise<T> =>
    list({
      ...here,
      searchDb: checked(standby.searchDb, reading),
      // The primary waits for due reveals.
      freshness: FRESH,
      shows: (hits) => reading.shows(hits),
    });
  return standby.reads.read(callerId, there, () => list(here));
}

function checked(searchDb: SearchDb, reading: StandbyRead): SearchDb {
  const run: SearchDb['run'] = (heavy, work) =>
    searchDb.run(heavy, async (tx) => {
      await reading.check(tx);
      return work(tx);
    });
  // Check and answer need one snapshot.
  return { by: (who) => checked(searchDb.by(who), reading), run, ask: run };
}
