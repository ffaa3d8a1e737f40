import type { Block, Fees, Hex, OwnTransaction, Receipt, SendOutcome } from '../../chain/port.ts';
import type { Anchored } from '../ledger/moves.ts';
import type { Attempt, LedgerTx } from '../ledger/transactions.ts';
import type { SuspicionKind } from '../suspicions.ts';

/** One transaction during one tick. Immutable: each step makes a new one. */
export interface Traveller {
  readonly tx: Readonly<LedgerTx>;
  /** highest fee last */
  readonly attempts: readonly Attempt[];
  readonly facts: Readonly<Facts>;
}

/** A field is absent until a decision needs it. */
export interface Facts {
  /** the block of one of its signed forms; null: no node shows one, which is no evidence */
  mined?: Mined | null;
  /** by all endpoints; null: unknown */
  blockAgreed?: boolean | null;
  /** from every endpoint; null: they disagree */
  secondOpinion?: Mined | null;
  readBack?: ReadBack;
  /** the mined transaction with its nonce; null: unknown */
  holder?: Holder | null;
  holderAgreed?: boolean | null;
  lookedBack?: 'done' | 'adopted' | 'waits';
  fees?: Fees;
  gas?: Gas;
  /** null: its commitment is pending again and goes first */
  revocation?: Revocation | null;
  /** the node has the form with the highest fee */
  known?: boolean;
  /** form signed in this step */
  fresh?: Hex;
  /** answer to the form sent in this step */
  sent?: { form: Hex; outcome: SendOutcome; message?: string };
  looks?: Readonly<Partial<Record<SuspicionKind, number>>>;
}

export type Question = Exclude<keyof Facts, 'lookedBack' | 'fresh' | 'sent' | 'looks'>;

export interface Mined {
  receipt: Receipt;
  block: Block;
}

export interface Holder {
  own: OwnTransaction;
  /** the same payload, or our schema: signed before a restore */
  ours: boolean;
}

export type Gas = { enough: bigint } | { refused: string };

export interface Revocation {
  calldata: Hex;
  /** already revoked */
  done: readonly Anchored[];
}

export type ReadBack =
  | { verdict: 'holds'; anchored: readonly Anchored[] }
  /** `anchored` are not revoked */
  | { verdict: 'unrevoked'; anchored: readonly Anchored[] }
  /** a commitment is pending again and goes first */
  | { verdict: 'pending' }
  | { verdict: 'doubt'; what: string };
