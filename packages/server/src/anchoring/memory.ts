import type { BlockRange } from '../chain/block-range.ts';
import type { Block, Hex } from '../chain/port.ts';

/** What one process remembers between ticks. It only saves reads: nothing depends on it. */
export interface Memory {
  watch: Watch;
  /** chain id and genesis block, checked against the database */
  identity?: string;
  /** the last head; `since` and `behindSince` (from `performance.now()`): since when it did not move or was too old */
  head?: { hash: string; since: number; behindSince?: number };
  /** a transaction count of the relayer far above the ledger */
  farCount?: Count;
  /** consecutive ticks in which transactions waited and nothing changed */
  stuckTicks: number;
}

/** Blocks seen in the chain, so that an idle tick needs one read. */
export interface Watch {
  /** the final block of the last complete check; while it is in the chain, all blocks below it are */
  seen?: Block;
  /** blocks of transactions that became final since */
  newlyFinal: number[];
}

/** The chain's count of the relayer's transactions, and since when (`performance.now()`) every look returned it. */
interface Count {
  nonce: number;
  since: number;
}

/** A running search for forgotten attestations, and the state after the last completed one. */
export interface Looking {
  /**
   * the chain's and the ledger's transaction count after it; if either differs, the database may have been restored
   * again
   */
  done?: string;
  search?: Search;
}

export interface Range extends BlockRange {
  hashes: Set<Hex>;
}

type Search = Range & { counted: number };

export const newMemory = (): Memory => ({ watch: { newlyFinal: [] }, stuckTicks: 0 });
