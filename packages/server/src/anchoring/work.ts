import type { Block, Chain, Hex, OwnTransaction } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import type { Failpoint } from './failpoints.ts';
import type { Looking } from './memory.ts';
import type { Log, Problems } from './problems.ts';
import type { Rules } from './rules.ts';
import type { Suspicions } from './suspicions.ts';

/** The mined transaction that holds a nonce of the relayer, whoever used the key; null when the node does not know. */
export type NonceHolder = (nonce: number) => Promise<OwnTransaction | null>;

/** The text and salt of an etch that is sealed at rest, or null when they cannot be had. Throws when they are damaged. */
export type PartsOf = (row: { id: string; sealed: Buffer }) => { content: string; salt: string } | null;

/** Everything a step of anchoring needs. */
export interface Work {
  readonly db: Db;
  readonly chain: Chain;
  readonly log: Log;
  readonly failpoint: Failpoint;
  readonly rules: Rules;
  /** who we are in the lease */
  readonly holder: string;
  readonly problems: Problems;
  readonly suspicions: Suspicions;
  /** how far the chain was searched for attestations of ours that the database does not know */
  readonly looking: Looking;
  /** kinds of witnesses that what becomes final is to have */
  readonly witnesses: readonly string[];
  readonly nonceHolder?: NonceHolder;
  readonly partsOf?: PartsOf;
}

/** What the chain looked like at the start of a tick. */
export interface Sight {
  head: Block;
  final: Block;
  /** the relayer's next nonce at the head */
  minedNonce: number;
  /** our key's address, lower case */
  relayer: Hex;
}
