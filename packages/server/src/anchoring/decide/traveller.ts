import type { Block, Fees, Hex, OwnTransaction, Receipt, SendOutcome } from '../../chain/port.ts';
import type { Anchored } from '../ledger/moves.ts';
import type { Attempt, LedgerTx } from '../ledger/transactions.ts';
import type { SuspicionKind } from '../suspicions.ts';

/** One transaction during one tick: its ledger row and what was read since. Immutable: each step makes a new one. */
export interface Traveller {
  readonly tx: Readonly<LedgerTx>;
  /** its signed forms, the highest fee last */
  readonly attempts: readonly Attempt[];
  readonly facts: Readonly<Facts>;
}

/** What was read during a step. A field is absent until a decision needs it. */
export interface Facts {
  /** the block that contains one of its signed forms; null: no node shows one, which is no evidence */
  mined?: Mined | null;
  /** do all endpoints have that block at its number? null: unknown */
  blockAgreed?: boolean | null;
  /** the same receipt and block from every endpoint; null: the endpoints disagree */
  secondOpinion?: Mined | null;
  readBack?: ReadBack;
  /** the mined transaction that has its nonce; null: the node cannot say */
  holder?: Holder | null;
  /** `blockAgreed` for the holder's block */
  holderAgreed?: boolean | null;
  /** result of the search for transactions that the database forgot */
  lookedBack?: 'done' | 'adopted' | 'waits';
  fees?: Fees;
  gas?: Gas;
  /** what a revocation must revoke now; null: its commitment is pending again and goes first */
  revocation?: Revocation | null;
  /** does the node have the form with the highest fee? */
  known?: boolean;
  /** hash of the form that this step signed */
  fresh?: Hex;
  /** the node's answer to the last form that this step sent */
  sent?: { form: Hex; outcome: SendOutcome; message?: string };
  /** consecutive ticks with this suspicion */
  looks?: Readonly<Partial<Record<SuspicionKind, number>>>;
}

/** What a step can read from the chain or the ledger. */
export type Question = Exclude<keyof Facts, 'lookedBack' | 'fresh' | 'sent' | 'looks'>;

export interface Mined {
  receipt: Receipt;
  block: Block;
}

export interface Holder {
  own: OwnTransaction;
  /** the same payload, or other attestations under our schema: signed before the database was restored */
  ours: boolean;
}

export type Gas = { enough: bigint } | { refused: string };

export interface Revocation {
  calldata: Hex;
  /** revoked already */
  done: readonly Anchored[];
}

/** Result of comparing the contract's attestations with the plan. */
export type ReadBack =
  | { verdict: 'holds'; anchored: readonly Anchored[] }
  /** some attestations are not revoked; `anchored` are */
  | { verdict: 'unrevoked'; anchored: readonly Anchored[] }
  /** a commitment to be revoked is pending again and goes first */
  | { verdict: 'pending' }
  | { verdict: 'doubt'; what: string };
