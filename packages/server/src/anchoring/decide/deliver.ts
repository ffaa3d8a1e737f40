// Decisions about a transaction whose nonce is free: sign, send, send again, or raise the fees.
import type { Attempt } from '../ledger/transactions.ts';
import type { Problem } from '../problems.ts';
import {
  type Act,
  ask,
  type Decision,
  type Facts,
  type Inquiry,
  unsure,
  type DecisionInput,
  WAIT,
  wait,
  type Wait,
} from './decision.ts';
import type { Fees } from '../../chain/port.ts';

export function deliver(view: DecisionInput): Decision {
  const { tx, attempts, snapshot, facts, rules } = view;
  if (tx.nonce >= snapshot.minedNonce + rules.sendWindow) return WAIT;
  if (snapshot.head.timestamp * 1000 < tx.notBefore) return WAIT;
  const last = attempts.at(-1);
  if (!last) return sign(view);
  if (facts.sent?.form === last.hash) return afterAnswer(view, last, facts.sent);
  if (facts.fresh === last.hash) return send(last);
  const isNext = tx.nonce === snapshot.minedNonce;
  // Block time, not the clock: higher fees do not help on a halted chain.
  const isStuck = snapshot.head.timestamp * 1000 >= last.signedAt + rules.stuckAfterSeconds * 1000;
  const raised = isNext && isStuck ? raiseFees(view, last) : WAIT;
  if (raised.do !== 'wait') return raised;
  const { problem } = raised;
  if (tx.state !== 'SENT') return send(last, problem);
  if (facts.known === undefined) return ask('known');
  if (facts.known) return raised;
  const looks = facts.looks?.unseen;
  if (looks === undefined) return { do: 'suspect', suspicion: { kind: 'unseen', form: last.hash } };
  return isLookToSend(looks) ? { ...send(last, problem), again: true } : raised;
}

/** A node may accept a form and never show it. Sends after 1, 2, 4 … 64 looks in a row, then after every 64. */
const isLookToSend = (looks: number): boolean =>
  looks % RARELY === 0 || (looks < RARELY && Number.isInteger(Math.log2(looks)));

const RARELY = 64;

function sign(view: DecisionInput): Decision {
  const { tx, snapshot, facts, rules } = view;
  const { fees, revocation, gas } = facts;
  if (!fees) return ask('fees');
  if (snapshot.head.baseFeePerGas > fees.maxFeePerGas || fees.maxFeePerGas > rules.maxFeePerGas)
    return wait(
      view,
      'MAX_FEE_GWEI: the chain requires more than the fee cap: raise it, or wait until fees fall',
    );
  if (tx.action === 'revoke') {
    if (revocation === undefined) return ask('revocation');
    if (revocation === null) return WAIT;
    if (revocation.calldata !== tx.calldata || revocation.done.length > 0)
      return { do: 'rewrite', revocation };
  }
  if (!gas) return ask('gas');
  if ('refused' in gas)
    return wait(
      view,
      `RELAYER_PRIVATE_KEY: the chain would reject a transaction of this key: ${gas.refused}`,
    );
  return { do: 'sign', fees, gas: gas.enough };
}

function raiseFees(view: DecisionInput, last: Attempt): Inquiry | Act | Wait {
  const { facts, rules } = view;
  if (!facts.fees) return ask('fees');
  const fees = raise(last, facts.fees, rules.maxFeePerGas);
  if (fees) return { do: 'raise', fees, last };
  const text = 'MAX_FEE_GWEI: a transaction waits at the fee cap: raise it, or wait until fees fall';
  return wait(view, text, { tx_hash: last.hash });
}

/** Only a rejection proves that the transaction was not sent. */
function afterAnswer(
  view: DecisionInput,
  last: Attempt,
  { outcome, message }: NonNullable<Facts['sent']>,
): Decision {
  const { tx, snapshot } = view;
  if (outcome === 'rejected')
    return wait(
      view,
      `RELAYER_PRIVATE_KEY: the node rejects a transaction of this key: ${message ?? 'no reason given'}`,
    );
  if (outcome !== 'underpriced' || tx.nonce !== snapshot.minedNonce) return WAIT;
  return unsure(view, { kind: 'underpriced', form: last.hash }) ?? raiseFees(view, last);
}

const send = (attempt: Attempt, problem?: Problem) =>
  ({ do: 'send', attempt, again: false, ...(problem && { problem }) }) as const;

/**
 * Adds a quarter, or takes the current fees if higher. Returns null if the cap allows less than the 10 % that
 * nodes require.
 */
export function raise(last: Fees, now: Fees, cap: bigint): Fees | null {
  const quarter = (fee: bigint) => (fee * 5n + 3n) / 4n;
  const tenth = (fee: bigint) => (fee * 11n + 9n) / 10n;
  const most = (a: bigint, b: bigint) => (a > b ? a : b);
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  const maxFeePerGas = least(cap, most(quarter(last.maxFeePerGas), now.maxFeePerGas));
  if (maxFeePerGas < tenth(last.maxFeePerGas)) return null;
  const tip = most(quarter(last.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: least(tip, maxFeePerGas) };
}
