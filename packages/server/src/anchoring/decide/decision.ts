// The decisions about a transaction, and the facts that they are made from.
import type { Block, Fees, Hex, OwnTransaction, Receipt, SendOutcome } from '../../chain/port.ts';
import type { Anchored } from '../ledger/transitions.ts';
import type { Attempt, LedgerTx } from '../ledger/transactions.ts';
import type { NamesSetting, Problem, Suspicion, SuspicionKind } from '../problems.ts';
import type { Rules } from '../rules.ts';
import type { ChainSnapshot } from '../work.ts';

export type Decision = Inquiry | Wait | Act;

export type Inquiry =
  | { do: 'ask'; question: Question }
  | { do: 'suspect'; suspicion: Suspicion }
  | { do: 'look-back' };

export interface Wait {
  do: 'wait';
  problem?: Problem | undefined;
}

export type Act = { problem?: Problem | undefined } & (
  | { do: 'rewrite'; revocation: Revocation }
  | { do: 'sign'; fees: Fees; gas: bigint }
  | { do: 'raise'; fees: Fees; last: Attempt }
  | { do: 'send'; attempt: Attempt; again: boolean }
  | { do: 'mark-mined'; mined: Mined }
  | { do: 'forget-block' }
  | { do: 'mark-final'; block: Block; anchored: readonly Anchored[] }
  | { do: 'requeue'; note: string; anchored: readonly Anchored[] }
  | { do: 'halt'; note: string }
  | { do: 'adopt'; holder: Holder }
);

export interface DecisionInput extends TrackedTx {
  readonly snapshot: ChainSnapshot;
  readonly rules: Rules;
}

export type Rule = (view: DecisionInput) => Decision;

export const WAIT: Wait = { do: 'wait' };
export const ask = (question: Question): Inquiry => ({ do: 'ask', question });
export const problemOf = (
  { tx }: Pick<DecisionInput, 'tx'>,
  text: NamesSetting,
  fields?: object,
): Problem => ({
  text,
  fields: { nonce: tx.nonce, ...fields },
});
export const wait = (view: Pick<DecisionInput, 'tx'>, text: NamesSetting, fields?: object): Wait => ({
  do: 'wait',
  problem: problemOf(view, text, fields),
});

/**
 * One look that finds nothing is no evidence (docs/decisions/0012-stage-sign-store-send.md). Returns null when
 * enough looks agree.
 */
export function unsure(
  { facts, rules }: DecisionInput,
  suspicion: Suspicion,
  meanwhile: Wait = WAIT,
): Inquiry | Wait | null {
  const looks = facts.looks?.[suspicion.kind];
  if (looks === undefined) return { do: 'suspect', suspicion };
  return looks < rules.looks ? meanwhile : null;
}

export interface TrackedTx {
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
