import type { Block, Chain, Hex, OwnTransaction } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import type { Failpoint } from './failpoints.ts';
import type { Looking } from './memory.ts';
import type { Log, Problems } from './problems.ts';
import type { Rules } from './rules.ts';
import type { Suspicions } from './suspicions.ts';

/** The mined transaction with this nonce, ours or not; null if the node cannot say. */
export type NonceHolder = (nonce: number) => Promise<OwnTransaction | null>;

/** Null if no key is available. Throws if the text is damaged. */
export type PartsOf = (row: { id: string; sealed: Buffer }) => { content: string; salt: string } | null;

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
