// Used by every step of anchoring: dependencies, the chain as a tick saw it, and memory that only saves reads.
import type { Block, Chain, Hex, OwnTransaction } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import type { Failpoint } from './failpoints.ts';
import type { Log, Problems, Suspicions } from './problems.ts';
import type { Rules } from './rules.ts';
import type { BlockRange } from '../chain/block-range.ts';

/** The mined transaction with this nonce, ours or not; null if the node cannot say. */
export type NonceHolder = (nonce: number) => Promise<OwnTransaction | null>;

/** Null if no key is available. Throws if the text is damaged. */
type DecryptHidden = (row: { id: string; sealed: Buffer }) => { content: string; salt: string } | null;

export interface Work {
  readonly db: Db;
  readonly chain: Chain;
  readonly log: Log;
  readonly failpoint: Failpoint;
  readonly rules: Rules;
  readonly holder: string;
  readonly problems: Problems;
  readonly suspicions: Suspicions;
  readonly lookBackState: LookBackState;
  readonly witnesses: readonly string[];
  readonly nonceHolder?: NonceHolder;
  readonly decryptHidden?: DecryptHidden;
}

export interface ChainSnapshot {
  head: Block;
  final: Block;
  minedNonce: number;
  relayer: Hex;
}

/** Saves reads between ticks; nothing depends on it. */
export interface Memory {
  watch: FinalityWatch;
  identity?: string;
  /** `since`, `behindSince`: from `performance.now()` */
  head?: { hash: string; since: number; behindSince?: number };
  farCount?: { nonce: number; since: number };
  stuckTicks: number;
}

export interface FinalityWatch {
  /** final block of the last complete check; it proves all blocks below it */
  seen?: Block;
  newlyFinal: number[];
}

interface LookBackState {
  /** transaction counts of chain and ledger; a difference may mean a new restore */
  done?: string;
  /** earlier keys with transactions that the ledger does not have; undefined: not read yet */
  former?: readonly SenderCount[];
  search?: LogSearch;
}

export interface SenderCount {
  sender: Hex;
  count: number;
}

export interface SearchedRange extends BlockRange {
  hashes: Set<Hex>;
}

type LogSearch = SearchedRange & { counted: number; senders: readonly Hex[] };

export const newMemory = (): Memory => ({ watch: { newlyFinal: [] }, stuckTicks: 0 });
