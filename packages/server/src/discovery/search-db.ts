import { type Db, type Queryable, StatementFailed } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { createSlots } from '../platform/flow/slots.ts';

/** Limits searches in number and time; total and page share one snapshot. */
export interface SearchDb {
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
