import type { Block, Fees, Hex, OwnTransaction, Receipt, SendOutcome } from '../../chain/port.ts';
import type { Anchored } from '../ledger/moves.ts';
import type { Attempt, LedgerTx } from '../ledger/transactions.ts';
import type { SuspicionKind } from '../suspicions.ts';

/**
 * One transaction on its way through one step: what the ledger holds of it, and what has been seen since. It is never
 * changed; whatever happens makes the next one.
 */
export interface Traveller {
  readonly tx: Readonly<LedgerTx>;
  /** its signed forms, the dearest last */
  readonly attempts: readonly Attempt[];
  readonly facts: Readonly<Facts>;
}

/** What a step has learned. Nothing is asked before the decision needs it: what is missing is not known yet. */
export interface Facts {
  /** the block that holds one of its signed forms; null: no node shows one, which is no evidence */
  mined?: Mined | null;
  /** is that block the one that every endpoint knows at its number? null: nobody can say */
  blockAgreed?: boolean | null;
  /** the same receipt and block by every endpoint; null: they do not say the same */
  secondOpinion?: Mined | null;
  readBack?: ReadBack;
  /** the mined transaction that holds its nonce; null: the node cannot say */
  holder?: Holder | null;
  /** as `blockAgreed`, of the holder's block */
  holderAgreed?: boolean | null;
  /** was the chain searched for what the database forgot? */
  lookedBack?: 'done' | 'adopted' | 'waits';
  fees?: Fees;
  gas?: Gas;
  /** what a revocation has to do now; null: its commitment is pending again, and goes first */
  revocation?: Revocation | null;
  /** does the node hold its dearest form? */
  known?: boolean;
  /** the form that was signed in this very step */
  fresh?: Hex;
  /** what the node answered to the last form that was sent in this step */
  sent?: { form: Hex; outcome: SendOutcome; message?: string };
  /** for how many ticks in a row a suspicion has stood */
  looks?: Readonly<Partial<Record<SuspicionKind, number>>>;
}

/** What the chain, or the ledger about other transactions, can be asked for a step. */
export type Question = Exclude<keyof Facts, 'lookedBack' | 'fresh' | 'sent' | 'looks'>;

export interface Mined {
  receipt: Receipt;
  block: Block;
}

export interface Holder {
  own: OwnTransaction;
  /** the same payload, or other attestations under our schema: signed by a time that this database has lost */
  ours: boolean;
}

export type Gas = { enough: bigint } | { refused: string };

export interface Revocation {
  calldata: Hex;
  /** revoked already */
  done: readonly Anchored[];
}

/** What the contract answers about everything that a mined transaction was to write. */
export type ReadBack =
  | { verdict: 'holds'; anchored: readonly Anchored[] }
  /** some attestations are not revoked; `anchored` are */
  | { verdict: 'unrevoked'; anchored: readonly Anchored[] }
  /** a commitment that is to be revoked is pending again, and goes first */
  | { verdict: 'pending' }
  | { verdict: 'doubt'; what: string };
