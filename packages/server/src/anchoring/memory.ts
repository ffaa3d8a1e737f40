import type { BlockRange } from '../chain/block-range.ts';
import type { Block, Hex } from '../chain/port.ts';

/** Saves reads between ticks; nothing depends on it. */
export interface Memory {
  watch: Watch;
  identity?: string;
  /** `since`, `behindSince`: from `performance.now()` */
  head?: { hash: string; since: number; behindSince?: number };
  farCount?: Count;
  stuckTicks: number;
}

export interface Watch {
  /** final block of the last complete check; it proves all blocks below it */
  seen?: Block;
  newlyFinal: number[];
}

interface Count {
  nonce: number;
  since: number;
}

export interface Looking {
  /** transaction counts of chain and ledger; a difference may mean a new restore */
  done?: string;
  /** earlier keys with transactions that the ledger does not have; undefined: not read yet */
  former?: readonly Counted[];
  search?: Search;
}

export interface Counted {
  sender: Hex;
  count: number;
}

export interface Range extends BlockRange {
  hashes: Set<Hex>;
}

type Search = Range & { counted: number; senders: readonly Hex[] };

export const newMemory = (): Memory => ({ watch: { newlyFinal: [] }, stuckTicks: 0 });
