import type { BlockRange } from '../chain/block-range.ts';
import type { Block, Hex } from '../chain/port.ts';

/** What one process remembers between ticks. All of it may be forgotten: it saves questions, and is no evidence. */
export interface Memory {
  watch: Watch;
  /** chain id and genesis that were found to be the database's */
  identity?: string;
  /** the head of the last look, since when (of `performance.now()`) it stands while something waits, and is older than that */
  head?: { hash: string; since: number; behindSince?: number };
  /** a count of the relayer's transactions that is far beyond the ledger */
  farCount?: Count;
  /** ticks in a row in which something waited and nothing moved */
  stuckTicks: number;
}

/** What was seen to stand, so that a quiet tick costs one question. */
export interface Watch {
  /** the final block of the last complete look; as long as it stands, so does all below it */
  seen?: Block;
  /** blocks of transactions that became final since */
  newlyFinal: number[];
}

/** How many of the relayer's transactions the chain counts, and since when (of `performance.now()`) every look has had it. */
interface Count {
  nonce: number;
  since: number;
}

/** A search for what the database forgot that is under way, and what the last completed one was for. */
export interface Looking {
  /** the chain's count of our transactions, and the ledger's, after it: another ledger may be a database that went back */
  done?: string;
  search?: Search;
}

export interface Range extends BlockRange {
  hashes: Set<Hex>;
}

type Search = Range & { counted: number };

export const newMemory = (): Memory => ({ watch: { newlyFinal: [] }, stuckTicks: 0 });
