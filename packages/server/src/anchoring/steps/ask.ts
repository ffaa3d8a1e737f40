import { NodeError } from '../../chain/json-rpc.ts';
import { ChainUnavailable, type Hex } from '../../chain/port.ts';
import type { Gas, Holder, Mined, Question, Facts, Revocation, Traveller } from '../decide/traveller.ts';
import { toHex } from '../ledger/bytes.ts';
import type { Anchored } from '../ledger/moves.ts';
import { revokedCommitments } from '../ledger/transactions.ts';
import { holderOf } from '../recovery/holder.ts';
import type { Work } from '../work.ts';
import { readBack } from './read-back.ts';

const FILL_GAS = 100_000n;

type Answer<Q extends Question> = (work: Work, traveller: Traveller) => Promise<Required<Facts>[Q]>;

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

export async function ask(work: Work, traveller: Traveller, question: Question): Promise<Traveller> {
  const answer = await ANSWERS[question](work, traveller);
  return { ...traveller, facts: { ...traveller.facts, [question]: answer } };
}

async function findMined({ chain }: Work, { tx, attempts }: Traveller): Promise<Mined | null> {
  for (const attempt of attempts) {
    const receipt = await chain.receipt(attempt.hash, tx.sender);
    if (!receipt || receipt.txHash.toLowerCase() !== attempt.hash) continue;
    const block = await chain.blockByNumber(receipt.blockNumber);
    if (block && block.hash === receipt.blockHash) return { receipt, block };
  }
  return null;
}

async function findHolder(work: Work, { tx }: Traveller): Promise<Holder | null> {
  const own = await holderOf(work, tx.nonce);
  if (!own) return null;
  const { chain } = work;
  const ours =
    own.to === chain.contract &&
    (own.calldata === tx.calldata || (chain.decodeAttest(own.calldata) ?? []).length > 0);
  return { own, ours };
}

async function gasFor({ chain }: Work, { tx }: Traveller): Promise<Gas> {
  if (tx.calldata === chain.encodeAttest([])) return { enough: FILL_GAS };
  try {
    return { enough: await chain.estimateGas(tx.calldata) };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { refused: error.message };
  }
}

async function currentRevocation({ db, chain }: Work, { tx }: Traveller): Promise<Revocation | null> {
  const open: Hex[] = [];
  const done: Anchored[] = [];
  for (const row of await revokedCommitments(db, tx.id)) {
    if (row.done) continue;
    if (!row.uid) return null;
    const uid = toHex(row.uid);
    const attestation = await chain.attestation(uid);
    if (!attestation)
      throw new ChainUnavailable('the node does not show an attestation that is to be revoked');
    if (attestation.revocationTime > 0)
      done.push({ batchId: row.batch_id, uid, time: attestation.revocationTime });
    else open.push(uid);
  }
  return { calldata: open.length > 0 ? chain.encodeRevoke(open) : chain.encodeAttest([]), done };
}
