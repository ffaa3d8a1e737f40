import type { Block, Fees, Hex, OwnTransaction } from '../chain/port.ts';
import type { Tx } from '../db/db.ts';
import type { Act } from './decide/decision.ts';
import type { Mined, Revocation, Traveller } from './decide/traveller.ts';
import type { FailpointName } from './failpoints.ts';
import { fence } from './ledger/lease.ts';
import * as ledger from './ledger/moves.ts';
import { insertFillers, insertStaged, nextLedgerNonce } from './ledger/staging.ts';
import type { Attempt, LedgerTx } from './ledger/transactions.ts';
import { readForgotten, takeBack, tellAdopted } from './recovery/adopt.ts';
import { foldQueue } from './steps/fold.ts';
import type { Work } from './work.ts';

/*
 * The sequence: every point at which anchoring commits something, in the order in which an etch passes them, and what it
 * means when the process ends right there. Nothing else moves a transaction of the ledger, but 0 and 11.
 *
 * Three rules make every crash harmless:
 *   - what cannot be taken back, bytes on their way to a node, is in the database first;
 *   - every write names the states that it may leave (ledger/moves.ts), so that doing it twice, or late, changes nothing;
 *   - recovery is no other code: the next tick reads the ledger, asks the chain and decides again (decide/decide.ts).
 * Writes that follow from what this process believed are refused once another one leads (`commit`); those that repeat
 * what the chain shows (sent, in a block) are true whoever writes them.
 *
 *   queue -> STAGED -> SIGNED -> SENT -> MINED -> FINAL          the way of every transaction
 *                         HALTED <-'        '--> SENT           nobody shows who spent its nonce; its block is gone
 *   FINAL -> SENT (reopen)   any open state -> LOST (requeue)    what a chain in trouble does to it
 *                           -> FINAL, where a part of its work is done (a revocation that did not revoke everything)
 *
 * 0. The devnet began anew (`ensureSameChain` in ledger/chain-binding.ts, at start and when a tick finds another genesis block):
 * all that was in blocks is SENT again, and LOST with its etches back in the queue where its relayer's key is gone as well. One
 * commit with the new genesis block, under the lock of its row; a crash before it has the new chain found again. Of any other
 * chain it is refused.
 *
 * 11. An operator's hand (`giveUpHalted` and `reopenTransaction` in admin/chain/store.ts, called by `svc-admin chain`): HALTED is LOST
 * as in 7, FINAL is SENT as in 6, each by the same write of the ledger in a commit of its own, so a crash has done it or has not. A
 * command leads nothing, so no lease refuses it: the states that the write names do, whoever else is at work.
 */

/** What carrying out a decision made of the traveller; `end`: this step is over. */
export interface Passed {
  traveller: Traveller;
  /** something changed that others may wait for */
  moved: boolean;
  end?: 'open' | 'final' | 'lost';
}

/** Carries out what was decided for one transaction: the one place that writes it. @throws LeaseLost, ChainUnavailable */
export async function carryOut(work: Work, traveller: Traveller, act: Act): Promise<Passed> {
  if (act.problem) work.problems.report(act.problem.text, act.problem.fields);
  switch (act.do) {
    case 'rewrite':
      return rewrite(work, traveller, act.revocation);
    case 'sign':
      return sign(work, traveller, act, { signed: 'after-sign', stored: 'after-store' });
    case 'raise':
      return raise(work, traveller, act);
    case 'send':
      return send(work, traveller, act);
    case 'mark-mined':
      return markMined(work, traveller, act.mined);
    case 'forget-block':
      return forgetBlock(work, traveller);
    case 'mark-final':
      return markFinal(work, traveller, act);
    case 'requeue':
      return requeue(work, traveller, act);
    case 'halt':
      return halt(work, traveller, act.note);
    case 'adopt':
      await adopt(work, act.holder.own);
      return { traveller, moved: true, end: 'open' };
  }
}

/**
 * 1. STAGED. Jobs locked, hashes and leaves recomputed, roots, proofs, nonces and calldata written, jobs taken off the
 * queue: one transaction of the database, so a crash before its commit leaves the queue as it was. After it the payload
 * is fixed and waits to be signed; no byte of it has left.
 * @param mined how many transactions of our key the chain holds
 * @returns how many transactions were staged, and whether more is waiting
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
        'anchoring: RELAYER_PRIVATE_KEY: nonces of this key were used by something else than this service',
      );
    for (const [at, one] of folded.entries())
      await insertStaged(tx, { sender: chain.relayer, nonce: nonce + at, ...one });
    await failpoint('before-stage-commit');
    return { folded, more, nonce };
  });
  const { folded, more, nonce } = batch;
  if (folded.length === 0) return { staged: 0, more };
  const leaves = folded.flatMap(({ draft }) => draft.batches.map((batch) => batch.treeSize));
  const etches = leaves.reduce((a, b) => a + b, 0);
  log.info({ nonce, transactions: folded.length, batches: leaves.length, etches }, 'anchoring: staged');
  await failpoint('after-stage');
  return { staged: folded.length, more };
}

/**
 * 1a. A staged revocation follows its commitments: they may have been attested anew, or revoked by somebody else. Only
 * as long as no signed form exists; a crash before or after leaves a payload that is looked at again before it is signed.
 */
async function rewrite(work: Work, traveller: Traveller, { calldata, done }: Revocation): Promise<Passed> {
  const { tx, facts } = traveller;
  await commit(work, async (inner) => {
    await ledger.markAnchored(inner, done);
    if (calldata !== tx.calldata) await ledger.replaceCalldata(inner, tx.id, calldata);
  });
  const revocation = { calldata, done: [] };
  return {
    traveller: { ...traveller, tx: { ...tx, calldata }, facts: { ...facts, revocation } },
    moved: false,
  };
}

/**
 * 2. SIGNED. A crash between signing and storing loses bytes that nobody has seen, and the same ones are signed again. Once stored,
 * a form is asked for on the chain for ever, whether it was sent or not.
 */
async function sign(
  work: Work,
  { tx, attempts }: Traveller,
  { fees, gas }: { fees: Fees; gas: bigint },
  seams: { signed: FailpointName; stored: FailpointName },
): Promise<Passed> {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const form = { gas, maxFeePerGas, maxPriorityFeePerGas };
  const signed = await work.chain.sign({ nonce: tx.nonce, calldata: tx.calldata, ...form });
  await work.failpoint(seams.signed);
  const stored = await commit(work, (inner) => ledger.storeAttempt(inner, tx, { ...signed, ...form }));
  // It has left the states that sign, or its payload is another one by now: the next tick reads it anew.
  if (!stored) return { traveller: { tx, attempts, facts: {} }, moved: false, end: 'open' };
  await work.failpoint(seams.stored);
  const state = tx.state === 'STAGED' ? 'SIGNED' : tx.state;
  const facts = { mined: null, fresh: stored.hash };
  return { traveller: { tx: { ...tx, state }, attempts: [...attempts, stored], facts }, moved: false };
}

/**
 * 2a. The same nonce and payload for more money. The chain takes one of the stored forms, whichever it is. A crash is that of 2:
 * before it is stored nobody has seen the form, and after that it is asked for beside the older ones.
 */
function raise(
  work: Work,
  traveller: Traveller,
  { fees, last }: { fees: Fees; last: Attempt },
): Promise<Passed> {
  work.log.warn(
    { nonce: traveller.tx.nonce, max_fee_per_gas: fees.maxFeePerGas.toString(), replaces: last.hash },
    'anchoring: raising the fees of a stuck transaction',
  );
  const seams = { signed: 'after-bump-sign', stored: 'after-bump-store' } as const;
  return sign(work, traveller, { fees, gas: last.gas }, seams);
}

/**
 * 3. SENT. A crash before the bytes leave, or after it and before that is noted, leaves a stored form that may be in a
 * block: the chain is asked for it first, and sending the same bytes again is harmless, for their nonce admits them once.
 */
async function send(
  work: Work,
  traveller: Traveller,
  { attempt, again }: { attempt: Attempt; again: boolean },
): Promise<Passed> {
  const { tx, attempts, facts } = traveller;
  const about = { nonce: tx.nonce, tx_hash: attempt.hash };
  if (again) work.log.warn(about, 'anchoring: the node does not hold a transaction that was sent');
  await work.failpoint('before-send');
  const { outcome, message } = await work.chain.send(attempt.raw);
  await work.failpoint('after-send-before-mark');
  const sent = { form: attempt.hash, outcome, ...(message !== undefined && { message }) };
  // Only a plain refusal says that it did not go out.
  if (outcome === 'rejected') return { traveller: { ...traveller, facts: { ...facts, sent } }, moved: false };
  await ledger.markSent(work.db, tx.id, attempt.hash);
  work.log.info({ ...about, outcome }, 'anchoring: sent');
  await work.failpoint('after-send');
  const moved = outcome === 'accepted';
  // What was taken may be in a block already: that is asked anew.
  const known = moved ? { sent } : { ...facts, sent };
  return { traveller: { tx: { ...tx, state: 'SENT' }, attempts, facts: known }, moved };
}

/** 4. MINED. Only a note of what the chain shows, for whoever reads the ledger; lost by a crash, it is seen again. */
async function markMined(work: Work, traveller: Traveller, { receipt, block }: Mined): Promise<Passed> {
  const { tx } = traveller;
  await work.failpoint('before-mined');
  const { number, hash: blockHash, timestamp } = block;
  const hash = receipt.txHash.toLowerCase() as Hex;
  await ledger.markMined(work.db, tx.id, { hash, number, blockHash, timestamp });
  await work.failpoint('after-mined');
  const mined = { ...tx, state: 'MINED', blockNumber: number, blockHash } as const;
  return { traveller: { ...traveller, tx: mined }, moved: tx.state !== 'MINED' };
}

/** 4a. Its block is gone, or no node shows it: as sent as before. Lost by a crash, the block is missed again. */
async function forgetBlock(work: Work, traveller: Traveller): Promise<Passed> {
  const { tx } = traveller;
  await commit(work, (inner) => ledger.markUnmined(inner, tx.id));
  const sent = { ...tx, state: 'SENT', blockNumber: null, blockHash: null } as const;
  return { traveller: { ...traveller, tx: sent }, moved: false };
}

/**
 * 5. FINAL. Every attestation was read back and its block is final: from here on the API says `anchored`. A crash before
 * the commit has it read back again; after it nothing is open. The guard on the block's hash refuses what was read in
 * another block.
 */
async function markFinal(
  work: Work,
  traveller: Traveller,
  { block, anchored }: { block: Block; anchored: readonly ledger.Anchored[] },
): Promise<Passed> {
  const { tx } = traveller;
  await work.failpoint('before-final');
  const final = await commit(work, (inner) =>
    ledger.markFinal(inner, tx.id, { blockHash: block.hash, anchored, witnesses: work.witnesses }),
  );
  if (!final) return { traveller, moved: false, end: 'open' };
  const about = { nonce: tx.nonce, block: block.number, attestations: anchored.length };
  work.log.info(about, 'anchoring: anchored');
  await work.failpoint('after-final');
  return { traveller: { ...traveller, tx: { ...tx, state: 'FINAL' } }, moved: true, end: 'final' };
}

/**
 * 6. FINAL -> SENT, when the chain lost a final block: the API says `pending` again, and the same bytes go out again. A
 * crash before the commit has the loss found again, for a process that begins looks at every block (recovery/losses.ts).
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
 * 7. LOST. Its nonce is spent for ever without its work being done, or no form of it was ever signed: given up, and its
 * etches put back in the queue in the same commit, so that no crash leaves them in both or in neither. They are folded
 * again by the normal path, later each time it happens.
 */
async function requeue(
  work: Work,
  traveller: Traveller,
  { note, anchored }: { note: string; anchored: readonly ledger.Anchored[] },
): Promise<Passed> {
  const { tx, attempts } = traveller;
  await work.failpoint('before-requeue');
  const waitSeconds = work.rules.retrySeconds * (2 ** Math.min(tx.tries, 8) - 1);
  const lost = { note, unsigned: attempts.length === 0, waitSeconds };
  const gone = await commit(work, async (inner) => {
    await ledger.markAnchored(inner, anchored);
    return ledger.loseTransaction(inner, tx.id, lost);
  });
  if (!gone) return { traveller, moved: false, end: 'open' };
  work.log.error({ nonce: tx.nonce, tries: tx.tries }, `anchoring: a transaction is given up: ${note}`);
  await work.failpoint('after-requeue');
  return { traveller: { ...traveller, tx: { ...tx, state: 'LOST' } }, moved: true, end: 'lost' };
}

/**
 * 8. HALTED. Set aside, with what it holds; it goes on by itself once the node shows what spent its nonce. A crash before it is
 * written has the same decided again from the same answers of the chain.
 */
async function halt(work: Work, traveller: Traveller, note: string): Promise<Passed> {
  await work.failpoint('before-halt');
  await commit(work, (inner) => ledger.markHalted(inner, traveller.tx.id, note));
  await work.failpoint('after-halt');
  return { traveller, moved: false, end: 'open' };
}

/**
 * 9. SENT, out of the chain: a mined transaction that the database forgot is taken back, with the etches that can be
 * told to be in it. One commit; a crash before it has the transaction found again, after it there is nothing to find.
 */
export async function adopt(work: Work, own: OwnTransaction): Promise<void> {
  // Asked before anything is locked: a slow endpoint must not hold the queue.
  const forgotten = await readForgotten(work.chain, own);
  await work.failpoint('before-adopt');
  const result = forgotten ? await commit(work, (tx) => takeBack(tx, forgotten)) : 'unreadable';
  await work.failpoint('after-adopt');
  tellAdopted(work.log, own, result);
}

/**
 * 10. STAGED, holding nothing: fillers for nonces that nobody will spend. Until then all later ones wait. One commit; a crash before
 * it leaves the gap for the next tick to find, and after it they are signed and sent as all others.
 */
export async function fillGap(work: Work, from: number, end: number): Promise<void> {
  const { chain, failpoint } = work;
  const calldata = chain.encodeAttest([]);
  await failpoint('before-fill');
  await commit(work, (tx) => insertFillers(tx, { sender: chain.relayer, calldata, from, end }));
  await failpoint('after-fill');
  work.log.warn({ from, to: end - 1 }, 'anchoring: filling a gap of nonces');
}

/** One transaction of the database, refused when another process leads by now. @throws LeaseLost */
function commit<T>({ db, holder }: Work, write: (tx: Tx) => Promise<T>): Promise<T> {
  return db.tx(async (tx) => {
    await fence(tx, holder);
    return write(tx);
  });
}
