// Maps for answers of processes that do not lead, and for checkpoints before the newest.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountMap } from '@svc/protocol/account-index';
import type { Queryable } from '../../db/db.ts';
import { Unavailable } from '../../platform/failure.ts';
import type { IndexKeeper } from './index-keeper.ts';
import { readState } from './index-store.ts';
import { LiveMap } from './live-map.ts';

const PATIENCE_MS = 2_000;
const KEPT_MS = 600_000;
/** A million accounts take 10 s to load, and longer from their leaves. */
const [LOADING_S, RECOMPUTING_S] = [10, 30];

export interface ReadMaps {
  /**
   * Reads from the map that covers so many entries of the log: that of the keeper, or one of this process, which is
   * loaded at the first request and freed ten minutes after the last one.
   * @param root what the map must have
   * @returns undefined when the map of this process covers more
   * @throws Unavailable while it loads
   */
  readAt<T>(
    db: Queryable,
    at: { covered: number; root: Uint8Array },
    read: (map: AccountMap) => T,
  ): Promise<T | undefined>;
}

export function createReadMaps(keeper: Pick<IndexKeeper, 'readAt'>): ReadMaps {
  let own: LiveMap | undefined;
  let loading: Promise<unknown> = Promise.resolve();
  let freeing: NodeJS.Timeout | undefined;

  async function move(db: Queryable, covered: number, root: Uint8Array): Promise<void> {
    const state = await readState(db);
    if (state.covered < covered)
      throw new Unavailable('the index of accounts is being computed again from the trees', RECOMPUTING_S);
    const map = own ?? (await LiveMap.load(db, { ...state, covered }));
    own = undefined;
    if (map.covered < covered) await map.advance(db, covered);
    const found = await map.root();
    if (map.covered === covered && !found.every((byte, at) => byte === root[at]))
      throw new Error('the rows of the index of accounts do not make the root in the log');
    own = map;
  }

  function free(): void {
    clearTimeout(freeing);
    freeing = setTimeout(() => (own = undefined), KEPT_MS).unref();
  }

  async function readOwn<T>(
    db: Queryable,
    { covered, root }: { covered: number; root: Uint8Array },
    read: (map: AccountMap) => T,
  ): Promise<{ value: T } | 'newer'> {
    if (own?.covered !== covered) await move(db, covered, root);
    return own!.covered === covered ? { value: read(own!.map) } : 'newer';
  }

  return {
    async readAt<T>(
      db: Queryable,
      { covered, root }: { covered: number; root: Uint8Array },
      read: (map: AccountMap) => T,
    ) {
      const answer = keeper.readAt({ covered, root }, read).then((here) => {
        if (here !== undefined) return { value: here };
        free();
        const loaded = loading.then(() => readOwn(db, { covered, root }, read));
        loading = loaded.catch(() => undefined);
        return loaded;
      });
      // The next request reports a rejection after the race.
      answer.catch(() => undefined);
      const late = sleep(PATIENCE_MS, undefined, { ref: false });
      const done = await Promise.race([answer, late]);
      if (done === undefined)
        throw new Unavailable('the index of accounts is being read into memory', LOADING_S);
      return done === 'newer' ? undefined : done.value;
    },
  };
}
