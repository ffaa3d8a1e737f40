import type { Block, Fees, Hex, OwnTransaction } from '../chain/port.ts';
import type { Tx } from '../db/db.ts';
import type { Act, Facts, Mined, Revocation, TrackedTx } from './decide/decision.ts';
import type { FailpointName } from './failpoints.ts';
import { fence } from './ledger/lease.ts';
import * as ledger from './ledger/transitions.ts';
import { insertFillers, insertStaged, nextLedgerNonce } from './ledger/staging.ts';
import type { Attempt, LedgerTx } from './ledger/transactions.ts';
import { readForgotten, restoreForgotten, logAdoption } from './recovery/adopt.ts';
import { foldQueue } from './steps/fold.ts';
import type { Work } from './work.ts';

/*
 * The commit points of anchoring in order, and what a crash after each means. Only these, 0, 11 and 12 included, change
 * a transaction of the ledger.
 *
 * Three rules make every crash harmless:
 *   - bytes are stored before they are sent;
 *   - every write names the states it may leave (ledger/transitions.ts): a late or repeated write changes nothing;
 *   - recovery needs no code: the next tick reads the ledger and the chain and decides again (decide/decide.ts).
 * A write that follows from this process's decision fails if a different process leads (`commit`). A write that repeats
 * what the chain shows (sent, mined) is true for every process.
 *
 *   queue -> STAGED -> SIGNED -> SENT -> MINED -> FINAL         the path of every transaction
 *                         HALTED <-'        '--> SENT           no node shows what spent its nonce; its block is gone
 *   FINAL -> SENT (reopen)  any open state -> LOST (requeue)    after trouble on the chain
 *                           -> FINAL, if a part of its work is done (a revocation that did not revoke everything)
 *
 * 0. The devnet started again from block 0 (`ensureSameChain` in ledger/chain-binding.ts). Mined transactions are SENT
 * again. Those of a lost key are LOST, and their etches queued. The same commit stores the new genesis block, under the
 * lock of its row. After a crash before it, the next tick finds the new chain again.
 *
 * 11. An operator runs `svc-admin chain` (admin/chain/store.ts): HALTED becomes LOST as in 7, FINAL becomes SENT as in 6,
 * each in its own commit. The command needs no lease: the states that the write names protect it.
 *
 * 12. An operator moves the database to a different chain (`leaveChain` in ledger/former.ts), in one commit under the
 * lease. The ledger is then empty, and the trees wait to be staged again. After a crash before it, nothing has changed;
 * after it, the fold continues (1).
 */

/** The fields of the tracked transaction that an act changed. */
export interface ActResult {
  tx?: Partial<LedgerTx>;
  attempts?: readonly Attempt[];
  facts?: Facts;
  moved?: boolean;
  end?: 'open' | 'final' | 'lost';
}

/** The only writer of a transaction's decisions. @throws LeaseLost, ChainUnavailable */
export async function carryOut(work: Work, tracked: TrackedTx, act: Act): Promise<ActResult> {
  if (act.problem) work.problems.report(act.problem.text, act.problem.fields);
  switch (act.do) {
    case 'rewrite':
      return rewrite(work, tracked, act.revocation);
    case 'sign':
      return sign(work, tracked, act, { signed: 'after-sign', stored: 'after-store' });
    case 'raise':
      return raise(work, tracked, act);
    case 'send':
      return send(work, tracked, act);
    case 'mark-mined':
      return markMined(work, tracked.tx, act.mined);
    case 'forget-block':
      return forgetBlock(work, tracked.tx);
    case 'mark-final':
      return markFinal(work, tracked.tx, act);
    case 'requeue':
      return requeue(work, tracked, act);
    case 'halt':
      return halt(work, tracked.tx, act.note);
    case 'adopt':
      return { moved: await adopt(work, act.holder.own, tracked.tx), end: 'open' };
  }
}

/**
 * 1. STAGED. One database transaction locks jobs, writes roots, proofs, nonces and calldata, and removes the jobs.
 * After a crash before its commit the queue is unchanged; after it the payload is fixed and unsent.
 * @param mined the chain's count of our transactions
 */
export async function foldBatch(work: Work, mined: number): Promise<{ staged: number; more: boolean }> {
  const { chain, failpoint, log } = work;
  const batch = await commit(work, async (tx) => {
    const { folded, more } = await foldQueue(work, tx);
    if (folded.length === 0) return { folded, more, nonce: 0 };
    await failpoint('after-collect');
    const next = await nextLedgerNonce(tx, chain.relayer);
    const nonce = Math.max(next ?? 0, mined);
    if (next !== null && nonce > next)
      log.warn(
        { ledger: next, mined },
        'anchoring: RELAYER_PRIVATE_KEY: another program used nonces of this key: use the key for this service only',
      );
    for (const [at, one] of folded.entries())
      await insertStaged(tx, { sender: chain.relayer, nonce: nonce + at, ...one });
    await failpoint('before-stage-commit');
    return { folded, more, nonce };
  });
  const { folded, more, nonce } = batch;
  if (folded.length === 0) return { staged: 0, more };
  const leaves = folded.flatMap(({ batches }) => batches.map(({ treeSize }) => treeSize));
  const etches = leaves.reduce((a, b) => a + b, 0);
  log.info({ nonce, transactions: folded.length, batches: leaves.length, etches }, 'anchoring: staged');
  await failpoint('after-stage');
  return { staged: folded.length, more };
}

/** 1a. Before the first signature, replaces the payload of a revocation whose commitment has a new attestation. */
async function rewrite(
  work: Work,
  { tx, facts }: TrackedTx,
  { calldata, done }: Revocation,
): Promise<ActResult> {
  await commit(work, async (inner) => {
    await ledger.markAnchored(inner, done);
    if (calldata !== tx.calldata) await ledger.replaceCalldata(inner, tx.id, calldata);
  });
  return { tx: { calldata }, facts: { ...facts, revocation: { calldata, done: [] } } };
}

/**
 * 2. SIGNED. After a crash before storing, the same bytes are signed again. A stored form is looked for on the
 * chain.
 */
async function sign(
  work: Work,
  { tx, attempts }: TrackedTx,
  { fees, gas }: { fees: Fees; gas: bigint },
  seams: { signed: FailpointName; stored: FailpointName },
): Promise<ActResult> {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const form = { gas, maxFeePerGas, maxPriorityFeePerGas };
  const signed = await work.chain.sign({ nonce: tx.nonce, calldata: tx.calldata, ...form });
  await work.failpoint(seams.signed);
  const stored = await commit(work, (inner) => ledger.storeAttempt(inner, tx, { ...signed, ...form }));
  if (!stored) return { end: 'open' };
  await work.failpoint(seams.stored);
  const state = tx.state === 'STAGED' ? 'SIGNED' : tx.state;
  return { tx: { state }, attempts: [...attempts, stored], facts: { mined: null, fresh: stored.hash } };
}

/** 2a. Signs the same nonce and payload with higher fees. The chain takes one of the stored forms. */
function raise(work: Work, tracked: TrackedTx, { fees, last }: { fees: Fees; last: Attempt }) {
  work.log.warn(
    { nonce: tracked.tx.nonce, max_fee_per_gas: fees.maxFeePerGas.toString(), replaces: last.hash },
    'anchoring: raising the fees of a stuck transaction',
  );
  const seams = { signed: 'after-bump-sign', stored: 'after-bump-store' } as const;
  return sign(work, tracked, { fees, gas: last.gas }, seams);
}

/** 3. SENT. After a crash the next tick looks for it and sends the same bytes again: the nonce admits them once. */
async function send(
  work: Work,
  { tx, facts }: TrackedTx,
  { attempt, again }: { attempt: Attempt; again: boolean },
): Promise<ActResult> {
  const about = { nonce: tx.nonce, tx_hash: attempt.hash };
  if (again)
    work.log.warn(about, 'anchoring: the node does not have a transaction that was sent: sending it again');
  await work.failpoint('before-send');
  const { outcome, message } = await work.chain.send(attempt.raw);
  await work.failpoint('after-send-before-mark');
  const sent = { form: attempt.hash, outcome, ...(message !== undefined && { message }) };
  if (outcome === 'rejected') return { facts: { ...facts, sent } };
  await ledger.markSent(work.db, tx.id, attempt.hash);
  work.log.info({ ...about, outcome }, 'anchoring: sent');
  await work.failpoint('after-send');
  const accepted = outcome === 'accepted';
  // It may be in a block already: read `mined` again. A repeated send is no progress: the next tick can wait.
  return {
    tx: { state: 'SENT' },
    facts: accepted ? { sent } : { ...facts, sent },
    moved: accepted && !again,
  };
}

/** 4. MINED. After a crash the next tick reads the block again. */
async function markMined(work: Work, tx: LedgerTx, { receipt, block }: Mined): Promise<ActResult> {
  await work.failpoint('before-mined');
  const { number, hash: blockHash, timestamp } = block;
  const hash = receipt.txHash.toLowerCase() as Hex;
  await ledger.markMined(work.db, tx.id, { hash, number, blockHash, timestamp });
  await work.failpoint('after-mined');
  return { tx: { state: 'MINED', blockNumber: number, blockHash }, moved: tx.state !== 'MINED' };
}

/** 4a. Back to SENT: its block is gone, or no node shows it. */
async function forgetBlock(work: Work, tx: LedgerTx): Promise<ActResult> {
  await commit(work, (inner) => ledger.markUnmined(inner, tx.id));
  return { tx: { state: 'SENT', blockNumber: null, blockHash: null } };
}

/**
 * 5. FINAL. Every attestation was read back; the API says `anchored`. Fails if the block's hash changed since the
 * reads.
 */
async function markFinal(
  work: Work,
  tx: LedgerTx,
  { block, anchored }: { block: Block; anchored: readonly ledger.Anchored[] },
): Promise<ActResult> {
  await work.failpoint('before-final');
  const final = await commit(work, (inner) =>
    ledger.markFinal(inner, tx.id, { blockHash: block.hash, anchored, witnesses: work.witnesses }),
  );
  if (!final) return { end: 'open' };
  const about = { nonce: tx.nonce, block: block.number, attestations: anchored.length };
  work.log.info(about, 'anchoring: anchored');
  await work.failpoint('after-final');
  return { moved: true, end: 'final' };
}

/**
 * 6. FINAL -> SENT: the chain lost the block, and the API says `pending` again. After a crash, the next process
 * checks every block (recovery/losses.ts).
 */
export async function reopen(work: Work, tx: LedgerTx): Promise<boolean> {
  await work.failpoint('before-reopen');
  const opened = await commit(work, (inner) => ledger.reopen(inner, tx.id, tx.blockHash!));
  if (!opened) return false;
  const about = { nonce: tx.nonce, block: tx.blockNumber };
  work.log.warn(about, 'anchoring: the chain lost a block; its transaction is pending again');
  await work.failpoint('after-reopen');
  return true;
}

/**
 * 7. LOST. Its nonce is spent without its work done, or it was never signed. The same commit queues its etches
 * again.
 */
async function requeue(
  work: Work,
  { tx, attempts }: TrackedTx,
  { note, anchored }: { note: string; anchored: readonly ledger.Anchored[] },
): Promise<ActResult> {
  await work.failpoint('before-requeue');
  const waitSeconds = work.rules.retrySeconds * (2 ** Math.min(tx.tries, 8) - 1);
  const lost = { note, unsigned: attempts.length === 0, waitSeconds };
  const gone = await commit(work, async (inner) => {
    await ledger.markAnchored(inner, anchored);
    return ledger.loseTransaction(inner, tx.id, lost);
  });
  if (!gone) return { end: 'open' };
  work.log.error({ nonce: tx.nonce, tries: tx.tries }, `anchoring: a transaction is given up: ${note}`);
  await work.failpoint('after-requeue');
  return { moved: true, end: 'lost' };
}

/** 8. HALTED. Continues when the node shows which transaction spent its nonce. */
async function halt(work: Work, tx: LedgerTx, note: string): Promise<ActResult> {
  await work.failpoint('before-halt');
  await commit(work, (inner) => ledger.markHalted(inner, tx.id, note));
  await work.failpoint('after-halt');
  return { end: 'open' };
}

/**
 * 9. Restores a mined transaction that the database forgot as SENT, with the etches that can be placed in it.
 * @param staged the transaction of the ledger that has its nonce
 * @returns whether the ledger changed
 */
export async function adopt(work: Work, own: OwnTransaction, staged?: LedgerTx): Promise<boolean> {
  // Read before locking: a slow endpoint must not block the queue.
  const forgotten = await readForgotten(work.chain, own, staged);
  await work.failpoint('before-adopt');
  const result = forgotten ? await commit(work, (tx) => restoreForgotten(tx, forgotten)) : 'unreadable';
  await work.failpoint('after-adopt');
  logAdoption(work.log, own, result);
  return result !== 'unreadable' && result !== null;
}

/** 10. STAGED, empty: fills nonces that nothing else will spend, so that later ones can be mined. */
export async function fillGap(work: Work, from: number, end: number): Promise<void> {
  const { chain, failpoint } = work;
  const calldata = chain.encodeAttest([]);
  await failpoint('before-fill');
  await commit(work, (tx) => insertFillers(tx, { sender: chain.relayer, calldata, from, end }));
  await failpoint('after-fill');
  work.log.warn({ from, to: end - 1 }, 'anchoring: filling a nonce gap');
}

function commit<T>({ db, holder }: Work, write: (tx: Tx) => Promise<T>): Promise<T> {
  return db.tx(async (tx) => {
    await fence(tx, holder);
    return write(tx);
  });
}
