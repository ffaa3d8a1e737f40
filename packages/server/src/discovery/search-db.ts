import { type Db, type Queryable, StatementFailed } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { createSlots } from '../platform/flow/slots.ts';

/** Separate from writes, limited in number and time; one snapshot for total and page. */
export interface SearchDb {
  /** `heavy`: scans texts. @throws Failure service_unavailable if too many or too slow */
  run<T>(heavy: boolean, work: (db: Queryable) => Promise<T>): Promise<T>;
  /** A single statement, no transaction. @throws Failure service_unavailable */
  ask<T>(heavy: boolean, work: (db: Queryable) => Promise<T>): Promise<T>;
  /** The same searches, counted for one caller. */
  by(who: string): SearchDb;
}

/** PostgreSQL's code for a statement that exceeded its timeout. */
const CANCELLED = '57014';

/** Text scans at once, at most all but one for the same caller. */
export function createSearchDb(db: Db, slots = 3): SearchDb {
  const heavySlots = createSlots({ slots, share: slots - 1, queue: 64, patience: 5_000, what: 'searches' });
  const lightSlots = createSlots({ slots: 8, share: 6, queue: 256, patience: 5_000, what: 'searches' });
  const by = (who?: string): SearchDb => {
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
