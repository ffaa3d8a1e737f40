import type { Block, Chain, Hex, OwnTransaction } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import type { Failpoint } from './failpoints.ts';
import type { Log, Problems, Suspicions } from './problems.ts';
import type { Rules } from './rules.ts';
import type { BlockRange } from '../chain/block-range.ts';

/** The mined transaction with this nonce, ours or not; null if the node cannot say. */
export type NonceHolder = (nonce: number) => Promise<OwnTransaction | null>;

/** Null if no key is available. Throws if the text is damaged. */
type PartsOf = (row: { id: string; sealed: Buffer }) => { content: string; salt: string } | null;

export interface Work {
  readonly db: Db;
  readonly chain: Chain;
  readonly log: Log;
  readonly failpoint: Failpoint;
  readonly rules: Rules;
  readonly holder: string;
  readonly problems: Problems;
  readonly suspicions: Suspicions;
  readonly looking: Looking;
  readonly witnesses: readonly string[];
  readonly nonceHolder?: NonceHolder;
  readonly partsOf?: PartsOf;
}

export interface Sight {
  head: Block;
  final: Block;
  minedNonce: number;
  relayer: Hex;
}

/** Saves reads between ticks; nothing depends on it. */
export interface Memory {
  watch: Watch;
  identity?: string;
  /** `since`, `behindSince`: from `performance.now()` */
  head?: { hash: string; since: number; behindSince?: number };
  farCount?: { nonce: number; since: number };
  stuckTicks: number;
}

export interface Watch {
  /** final block of the last complete check; it proves all blocks below it */
  seen?: Block;
  newlyFinal: number[];
}

interface Looking {
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
