import type { Block, Fees, Hex, OwnTransaction, Receipt, SendOutcome } from '../../chain/port.ts';
import type { Anchored } from '../ledger/moves.ts';
import type { Attempt, LedgerTx } from '../ledger/transactions.ts';
import type { SuspicionKind } from '../suspicions.ts';

export interface Traveller {
  readonly tx: Readonly<LedgerTx>;
  readonly attempts: readonly Attempt[];
  readonly facts: Readonly<Facts>;
}

export interface Facts {
  /** null: no node returns a receipt, which proves nothing */
  mined?: Mined | null;
  blockAgreed?: boolean | null;
  /** null: the endpoints disagree */
  secondOpinion?: Mined | null;
  readBack?: ReadBack;
  holder?: Holder | null;
  holderAgreed?: boolean | null;
  lookedBack?: 'done' | 'adopted' | 'waits';
  fees?: Fees;
  gas?: Gas;
  /** null: its commitment is pending again and goes first */
  revocation?: Revocation | null;
  known?: boolean;
  fresh?: Hex;
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
  /** It has the same payload, or it uses our schema because it was signed before a restore. */
  ours: boolean;
}

export type Gas = { enough: bigint } | { refused: string };

export interface Revocation {
  calldata: Hex;
  done: readonly Anchored[];
}

export type ReadBack =
  | { verdict: 'holds'; anchored: readonly Anchored[] }
  | { verdict: 'unrevoked'; anchored: readonly Anchored[] }
  | { verdict: 'pending' }
  | { verdict: 'doubt'; what: string };
