// The next step of a transaction, by its state and by what the chain shows. Reads and writes nothing outside its
// input.
import type { Block } from '../../chain/port.ts';
import type { Anchored } from '../ledger/transitions.ts';
import type { LedgerTx, TxState } from '../ledger/transactions.ts';
import type { Rules } from '../rules.ts';
import type { ChainSnapshot } from '../work.ts';
import {
  ask,
  type Decision,
  type Mined,
  problemOf,
  type Rule,
  type TrackedTx,
  unsure,
  type DecisionInput,
  wait,
  type Wait,
  WAIT,
} from './decision.ts';
import { deliver } from './deliver.ts';
import type { Suspicion } from '../problems.ts';

const forgetBlock: Rule = () => ({ do: 'forget-block' });

export type NonceState = 'other-key' | 'in-block' | 'spent' | 'free';

/** A rule reads only the stored forms and the chain, so recovery uses the same table. */
const TABLE: Readonly<Record<TxState, Readonly<Record<NonceState, Rule>> | null>> = {
  STAGED: { 'other-key': awaitFormerKey, 'in-block': markMined, spent: explainSpent, free: deliver },
  SIGNED: { 'other-key': awaitFormerKey, 'in-block': markMined, spent: explainSpent, free: deliver },
  SENT: { 'other-key': awaitFormerKey, 'in-block': markMined, spent: explainSpent, free: deliver },
  MINED: { 'other-key': awaitFormerKey, 'in-block': becomeFinal, spent: forgetBlock, free: forgetBlock },
  HALTED: { 'other-key': awaitFormerKey, 'in-block': markMined, spent: explainSpent, free: deliver },
  FINAL: null,
  LOST: null,
};

export function decide(tracked: TrackedTx, snapshot: ChainSnapshot, rules: Rules): Decision {
  const view = { ...tracked, snapshot, rules };
  const row = TABLE[tracked.tx.state];
  if (!row) return WAIT;
  const nonceState = nonceStateOf(view);
  return nonceState === null ? ask('mined') : row[nonceState](view);
}

function nonceStateOf({ tx, attempts, snapshot, facts }: DecisionInput): NonceState | null {
  const isOfOther = tx.sender !== snapshot.relayer;
  if (isOfOther && attempts.length === 0) return 'other-key';
  if (facts.mined === undefined) return null;
  if (facts.mined) return 'in-block';
  if (isOfOther) return 'other-key';
  return tx.nonce < snapshot.minedNonce ? 'spent' : 'free';
}

/** An unsigned transaction is folded again for the new key. A signed one in no block needs the old key. */
function awaitFormerKey(view: DecisionInput): Decision {
  if (view.attempts.length === 0)
    return { do: 'requeue', note: 'the key of its relayer was changed', anchored: [] };
  return wait(
    view,
    'RELAYER_PRIVATE_KEY: a transaction signed by an earlier key is open: run with that key until it is final',
  );
}

export type BlockPresence = 'stands' | 'replaced' | 'unknown';

/**
 * Reopens a final transaction if its block was replaced, or if several looks at a shorter chain find neither the
 * block nor a spent nonce.
 */
export function decideFinal(
  tx: LedgerTx,
  standing: BlockPresence,
  seen: { snapshot: ChainSnapshot; rules: Rules; looks?: number },
): { do: 'wait' | 'reopen' } | { do: 'suspect'; suspicion: Suspicion } {
  const { snapshot, rules, looks } = seen;
  if (standing === 'stands') return { do: 'wait' };
  if (standing === 'replaced') return { do: 'reopen' };
  if (snapshot.head.number >= tx.blockNumber! || snapshot.minedNonce > tx.nonce) return { do: 'wait' };
  if (looks === undefined) return { do: 'suspect', suspicion: { kind: 'gone', tx: tx.id } };
  return { do: looks < rules.looks ? 'wait' : 'reopen' };
}

/**
 * Usually the node lags. If the database is older than the chain, a forgotten form spent the nonce: search the
 * logs and adopt it. Otherwise only a different transaction in a final block is evidence.
 */
function explainSpent(view: DecisionInput): Decision {
  const { tx, attempts, snapshot, facts } = view;
  const early = unsure(view, { kind: 'spent', tx: tx.id });
  if (early) return early;
  if (!facts.lookedBack) return { do: 'look-back' };
  if (facts.lookedBack !== 'done') return WAIT;
  if (facts.holder === undefined) return ask('holder');
  const { holder } = facts;
  const lose = { do: 'requeue', note: 'its nonce was spent by another transaction', anchored: [] } as const;
  if (holder && !attempts.some(({ hash }) => hash === holder.own.hash)) {
    if (holder.own.blockNumber > snapshot.final.number) return WAIT;
    if (facts.holderAgreed === undefined) return ask('holderAgreed');
    if (facts.holderAgreed !== true) return WAIT;
    if (holder.ours) return { do: 'adopt', holder };
    const text =
      'RELAYER_PRIVATE_KEY: another program sends with this key and took a nonce: use the key for this service only';
    return { ...lose, problem: problemOf(view, text, { tx_hash: holder.own.hash }) };
  }
  if (attempts.length === 0 || tx.action === 'fill') return lose;
  const text = 'CHAIN_RPC_URL: a nonce is spent, but the node does not show the transaction';
  const problem = problemOf(view, text);
  if (tx.state === 'HALTED') return { do: 'wait', problem };
  return { do: 'halt', note: 'its nonce is spent, its receipt is not found', problem };
}

function markMined({ facts }: DecisionInput): Decision {
  return { do: 'mark-mined', mined: facts.mined! };
}

/**
 * The block must be canonical and deep enough, and every attestation read back. Otherwise the next tick looks
 * again.
 */
function becomeFinal(view: DecisionInput): Decision {
  const { tx, snapshot, facts } = view;
  const mined = facts.mined!;
  const { block } = mined;
  if (tx.blockHash !== block.hash) return markMined(view);
  if (block.number > snapshot.final.number) return WAIT;
  if (tx.action === 'fill') return markFinal(view, block, []);
  const fault = tx.action === 'attest' ? faultOf(tx, mined) : undefined;
  if (fault) return failed(view, mined, fault);
  const { readBack } = facts;
  if (!readBack) return ask('readBack');
  switch (readBack.verdict) {
    case 'holds':
      return markFinal(view, block, readBack.anchored);
    case 'pending':
      return WAIT;
    case 'doubt':
      return doubt(view, readBack.what);
    case 'unrevoked':
      return (
        unsure(view, { kind: 'unrevoked', tx: tx.id }, doubt(view, 'an attestation is not revoked yet')) ?? {
          do: 'requeue',
          note: 'it did not revoke everything',
          anchored: readBack.anchored,
        }
      );
  }
}

function faultOf(tx: LedgerTx, { receipt, block }: Mined): string | undefined {
  if (!receipt.succeeded) return 'it was reverted';
  if (block.timestamp < Math.floor(tx.notBefore / 1000)) return 'its block is older than its newest etch';
  return undefined;
}

/** Queues the etches again. A second endpoint must agree, or a lying endpoint would get them attested twice. */
function failed(view: DecisionInput, mined: Mined, note: string): Decision {
  const { tx, snapshot, facts } = view;
  if (tx.sender !== snapshot.relayer || snapshot.minedNonce <= tx.nonce) return doubt(view, note);
  const early = unsure(view, { kind: 'failed', tx: tx.id }, doubt(view, note));
  if (early) return early;
  const { secondOpinion: second } = facts;
  if (second === undefined) return ask('secondOpinion');
  if (!second || second.block.hash !== mined.block.hash || faultOf(tx, second) === undefined)
    return doubt(view, `${note}, but not every endpoint agrees`);
  return { do: 'requeue', note, anchored: [] };
}

function markFinal(view: DecisionInput, block: Block, anchored: readonly Anchored[]): Decision {
  const { blockAgreed } = view.facts;
  if (blockAgreed === undefined) return ask('blockAgreed');
  if (blockAgreed === false) return doubt(view, 'another block replaced its block');
  return blockAgreed === null ? WAIT : { do: 'mark-final', block, anchored };
}

const doubt = (view: DecisionInput, what: string): Wait =>
  wait(view, `CHAIN_RPC_URL: a mined transaction does not match the ledger: ${what}`);
