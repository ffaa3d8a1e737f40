import type { Hex } from '../../chain/port.ts';
import type { Tx } from '../../db/db.ts';
import { attestationData } from '../attestation.ts';
import type { TxDraft } from '../ledger/staging.ts';
import type { Work } from '../work.ts';
import { collectCommitments, collectTombstones, collectTombstonesOf } from './collect.ts';
import { draftTransaction, planCommitments, planRevocations, planTombstones } from './plan.ts';

export interface Folded {
  draft: TxDraft;
  calldata: Hex;
}

/** Folds the queue. `more`: some jobs did not fit. */
export async function foldQueue(work: Work, tx: Tx): Promise<{ folded: Folded[]; more: boolean }> {
  const { rules } = work;
  const waiting = await collectCommitments(work, tx);
  const commitments = await planCommitments(waiting.etches, rules);
  const committed = commitments.flatMap((batch) => batch.etches);
  const later = await collectTombstones(work, tx);
  const retractions = [...(await collectTombstonesOf(work, tx, committed)), ...later.etches];
  const tombstones = await planTombstones(retractions, rules, rules.maxAttestations - commitments.length);
  const drafts = [
    draftTransaction('attest', [...commitments, ...tombstones]),
    draftTransaction('revoke', planRevocations(retractions, rules)),
  ].filter((draft) => draft !== null);
  return {
    folded: drafts.map((draft) => ({ draft, calldata: calldataOf(work, draft) })),
    more: drafts.length > 0 && (waiting.full || later.full || committed.length < waiting.etches.length),
  };
}

function calldataOf({ chain }: Work, draft: TxDraft): Hex {
  if (draft.action === 'revoke')
    return chain.encodeRevoke(draft.uids.map((uid): Hex => `0x${uid.toString('hex')}`));
  return chain.encodeAttest(
    draft.batches.map((batch) => ({ data: attestationData(batch), revocable: batch.treeVersion === 0 })),
  );
}
