import type { Block, Chain, Hex, OwnTransaction } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import type { Failpoint } from './failpoints.ts';
import type { Looking } from './memory.ts';
import type { Log, Problems } from './problems.ts';
import type { Rules } from './rules.ts';
import type { Suspicions } from './suspicions.ts';

/** Finds the mined transaction that has a nonce of the relayer, ours or not; null if the node cannot say. */
export type NonceHolder = (nonce: number) => Promise<OwnTransaction | null>;

/** Decrypts the text and salt of a sealed etch; null if no key is available. Throws if they are damaged. */
export type PartsOf = (row: { id: string; sealed: Buffer }) => { content: string; salt: string } | null;

/** Everything a step of anchoring needs. */
export interface Work {
  readonly db: Db;
  readonly chain: Chain;
  readonly log: Log;
  readonly failpoint: Failpoint;
  readonly rules: Rules;
  /** name of this process in the lease */
  readonly holder: string;
  readonly problems: Problems;
  readonly suspicions: Suspicions;
  /** progress of the search for attestations that the database forgot */
  readonly looking: Looking;
  /** kinds of witnesses to queue for each final transaction */
  readonly witnesses: readonly string[];
  readonly nonceHolder?: NonceHolder;
  readonly partsOf?: PartsOf;
}

/** The state of the chain at the start of a tick. */
export interface Sight {
  head: Block;
  final: Block;
  /** the relayer's next nonce at the head */
  minedNonce: number;
  /** our key's address, lower case */
  relayer: Hex;
}
