import { type Db, type Queryable, StatementFailed } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import { createSlots } from '../flow/slots.ts';

/** Where searches read: apart from writes, a few at a time, never for long, and total and page at one moment. */
export interface SearchDb {
  /** `heavy`: looks into texts. @throws Failure service_unavailable when there are too many, or it takes too long */
  run<T>(heavy: boolean, work: (db: Queryable) => Promise<T>): Promise<T>;
  /** The same for one statement, which is of one moment by itself. @throws Failure service_unavailable */
  ask<T>(heavy: boolean, work: (db: Queryable) => Promise<T>): Promise<T>;
  /** The same, counted as this caller's: nobody's searches hold all places. */
  by(who: string): SearchDb;
}

/** SQLSTATE of a statement that ran into its timeout. */
const CANCELLED = '57014';

/** `places` texts are looked into at once, all but one of them for one caller; lists keep what else the pool has. */
export function createSearchDb(db: Db, places = 3): SearchDb {
  const heavySlots = createSlots({ places, share: places - 1, queue: 64, patience: 5_000, what: 'searches' });
  const lightSlots = createSlots({ places: 8, share: 6, queue: 256, patience: 5_000, what: 'searches' });
  const by = (who?: string): SearchDb => {
    const inPlace = async <T>(heavy: boolean, work: () => Promise<T>): Promise<T> => {
      try {
        return await (heavy ? heavySlots : lightSlots).run(work, who);
      } catch (error) {
        if (error instanceof StatementFailed && error.code === CANCELLED) {
          throw new Failure('service_unavailable', 'this search takes too long: ask for something rarer');
        }
        throw error;
      }
    };
    return {
      by,
      run: (heavy, work) => inPlace(heavy, () => db.tx(work, { snapshot: true })),
      ask: (heavy, work) => inPlace(heavy, () => work(db)),
    };
  };
  return by();
}
