// Moves one transaction as far as possible: decides, reads what the decision needs, and carries the decision out.
import { decide } from '../decide/decide.ts';
import type { Facts, Gas, Holder, Mined, Question, Revocation, TrackedTx } from '../decide/decision.ts';
import { attemptsOf, type LedgerTx, revokedCommitments } from '../ledger/transactions.ts';
import { holderOf, lookBack } from '../recovery/look-back.ts';
import { carryOut } from '../sequence.ts';
import type { Suspicion } from '../problems.ts';
import type { ChainSnapshot, Work } from '../work.ts';
import { NodeError } from '../../chain/json-rpc.ts';
import { ChainUnavailable, type Hex } from '../../chain/port.ts';
import type { Anchored } from '../ledger/transitions.ts';
import { readBack } from './read-back.ts';

export type Step = { end: 'open' | 'lost'; moved: boolean } | { end: 'final'; moved: true; block: number };

export async function advance(work: Work, snapshot: ChainSnapshot, tx: LedgerTx): Promise<Step> {
  let tracked: TrackedTx = { tx, attempts: await attemptsOf(work.db, tx.id), facts: {} };
  let moved = false;
  for (;;) {
    const decision = decide(tracked, snapshot, work.rules);
    switch (decision.do) {
      case 'wait':
        if (decision.problem) work.problems.report(decision.problem.text, decision.problem.fields);
        return { end: 'open', moved };
      case 'ask':
        tracked = await ask(work, tracked, decision.question);
        break;
      case 'suspect':
        tracked = countLooks(work, tracked, decision.suspicion);
        break;
      case 'look-back': {
        const lookedBack = await lookBack(work, snapshot);
        tracked = { ...tracked, facts: { ...tracked.facts, lookedBack } };
        moved ||= lookedBack === 'adopted';
        break;
      }
      default: {
        const { tx: changed, end, moved: hasMoved, ...rest } = await carryOut(work, tracked, decision);
        moved ||= hasMoved === true;
        if (end === 'final') return { end, moved: true, block: tracked.tx.blockNumber! };
        if (end) return { end, moved };
        tracked = { ...tracked, ...rest, tx: { ...tracked.tx, ...changed } };
      }
    }
  }
}

function countLooks({ suspicions }: Work, tracked: TrackedTx, suspicion: Suspicion): TrackedTx {
  const { facts } = tracked;
  const looks = { ...facts.looks, [suspicion.kind]: suspicions.looks(suspicion) };
  return { ...tracked, facts: { ...facts, looks } };
}

const FILL_GAS = 100_000n;

type Answer<Q extends Question> = (work: Work, tracked: TrackedTx) => Promise<Required<Facts>[Q]>;

const ANSWERS: { readonly [Q in Question]: Answer<Q> } = {
  mined: findMined,
  blockAgreed: ({ chain }, { facts }) => chain.isAgreed(facts.mined!.block),
  secondOpinion: ({ chain }, { tx, facts }) => chain.agreedReceipt(facts.mined!.receipt.txHash, tx.sender),
  readBack: (work, { tx, facts }) => readBack(work, tx, facts.mined!),
  holder: findHolder,
  holderAgreed({ chain }, { facts }) {
    const { blockNumber: number, blockHash: hash } = facts.holder!.own;
    return chain.isAgreed({ number, hash });
  },
  fees: ({ chain }) => chain.fees(),
  gas: gasFor,
  revocation: currentRevocation,
  known: ({ chain }, { attempts }) => chain.knows(attempts.at(-1)!.hash),
};

async function ask(work: Work, tracked: TrackedTx, question: Question): Promise<TrackedTx> {
  const answer = await ANSWERS[question](work, tracked);
  return { ...tracked, facts: { ...tracked.facts, [question]: answer } };
}

async function findMined({ chain }: Work, { tx, attempts }: TrackedTx): Promise<Mined | null> {
  for (const attempt of attempts) {
    const receipt = await chain.receipt(attempt.hash, tx.sender);
    if (!receipt || receipt.txHash.toLowerCase() !== attempt.hash) continue;
    const block = await chain.blockByNumber(receipt.blockNumber);
    if (block && block.hash === receipt.blockHash) return { receipt, block };
  }
  return null;
}

async function findHolder(work: Work, { tx }: TrackedTx): Promise<Holder | null> {
  const own = await holderOf(work, tx.nonce);
  if (!own) return null;
  const { chain } = work;
  const ours =
    own.to === chain.contract &&
    (own.calldata === tx.calldata || (chain.decodeAttest(own.calldata) ?? []).length > 0);
  return { own, ours };
}

async function gasFor({ chain }: Work, { tx }: TrackedTx): Promise<Gas> {
  if (tx.calldata === chain.encodeAttest([])) return { enough: FILL_GAS };
  try {
    return { enough: await chain.estimateGas(tx.calldata) };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { refused: error.message };
  }
}

async function currentRevocation({ db, chain }: Work, { tx }: TrackedTx): Promise<Revocation | null> {
  const open: Hex[] = [];
  const done: Anchored[] = [];
  for (const row of await revokedCommitments(db, tx.id)) {
    if (row.done) continue;
    if (!row.uid) return null;
    const { uid } = row;
    const attestation = await chain.attestation(uid);
    if (!attestation)
      throw new ChainUnavailable('the node does not show an attestation that is to be revoked');
    if (attestation.revocationTime > 0)
      done.push({ batchId: row.batch_id, uid, time: attestation.revocationTime });
    else open.push(uid);
  }
  return { calldata: open.length > 0 ? chain.encodeRevoke(open) : chain.encodeAttest([]), done };
}
