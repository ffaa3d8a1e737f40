import type { Hex } from '../../chain/port.ts';
import { collectCommitments, collectTombstones, collectTombstonesOf } from './collect.ts';
import { attestationData } from '../attestation.ts';
import { fence } from '../ledger/lease.ts';
import { draftTransaction, planCommitments, planRevocations, planTombstones } from './plan.ts';
import { insertSealed, nextLedgerNonce, type TxDraft } from '../ledger/sealing.ts';
import type { Work } from '../work.ts';

/**
 * Folds what waits into transactions, in one database transaction: jobs locked, hashes and leaves recomputed,
 * roots, proofs, nonces and calldata written, jobs taken off. Nothing of it has reached the chain yet.
 * @param mined how many transactions of our key the chain holds
 * @returns how many were sealed, and whether more is waiting
 */
export async function seal(work: Work, mined: number): Promise<{ sealed: number; more: boolean }> {
  const { db, chain, log, rules } = work;
  const result = await db.tx(async (tx) => {
    await fence(tx, work.holder);
    const waiting = await collectCommitments(work, tx);
    const commitments = planCommitments(waiting.etches, rules);
    const committed = commitments.flatMap((batch) => batch.etches);
    const later = await collectTombstones(work, tx);
    const retractions = [...(await collectTombstonesOf(work, tx, committed)), ...later.etches];
    const tombstones = planTombstones(retractions, rules, rules.maxAttestations - commitments.length);
    const drafts = [
      draftTransaction('attest', [...commitments, ...tombstones]),
      draftTransaction('revoke', planRevocations(retractions, rules)),
    ].filter((draft) => draft !== null);
    if (drafts.length === 0) return { drafts, nonce: 0, more: false };
    await work.failpoint('after-collect');
    const ledger = await nextLedgerNonce(tx, chain.relayer);
    const nonce = Math.max(ledger ?? 0, mined);
    if (ledger !== null && nonce > ledger) {
      log.warn({ ledger, mined }, 'anchoring: nonces of the relayer were used by something else');
    }
    for (const [at, draft] of drafts.entries()) {
      await insertSealed(tx, {
        sender: chain.relayer,
        nonce: nonce + at,
        calldata: calldataOf(work, draft),
        draft,
      });
    }
    await work.failpoint('before-seal-commit');
    return { drafts, nonce, more: waiting.full || later.full || committed.length < waiting.etches.length };
  });
  if (result.drafts.length > 0) {
    const leaves = result.drafts.flatMap((draft) => draft.batches.map((batch) => batch.treeSize));
    log.info(
      {
        nonce: result.nonce,
        transactions: result.drafts.length,
        batches: leaves.length,
        etches: leaves.reduce((a, b) => a + b, 0),
      },
      'anchoring: sealed',
    );
    await work.failpoint('after-seal');
  }
  return { sealed: result.drafts.length, more: result.more };
}

function calldataOf({ chain }: Work, draft: TxDraft): Hex {
  if (draft.action === 'revoke')
    return chain.encodeRevoke(draft.uids.map((uid): Hex => `0x${uid.toString('hex')}`));
  return chain.encodeAttest(
    draft.batches.map((batch) => ({ data: attestationData(batch), revocable: batch.treeVersion === 0 })),
  );
}
