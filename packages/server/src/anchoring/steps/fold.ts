import type { Hex } from '../../chain/port.ts';
import type { Tx } from '../../db/db.ts';
import { attestationData } from './read-back.ts';
import { takeWaitingCommitments, takeWaitingTombstones, type WaitingTree } from '../ledger/former.ts';
import type { TxDraft } from '../ledger/staging.ts';
import type { Work } from '../work.ts';
import { collectCommitments, collectTombstones, collectTombstonesOf } from './collect.ts';
import { draftTransaction, planCommitments, planRevocations, planTombstones } from './plan.ts';

export interface Folded {
  draft: TxDraft;
  calldata: Hex;
}

/** New etches go first, then trees of a former chain. `more`: some did not fit. */
export async function foldQueue(work: Work, tx: Tx): Promise<{ folded: Folded[]; more: boolean }> {
  const { rules } = work;
  const waiting = await collectCommitments(work, tx);
  const commitments = await planCommitments(waiting.etches, rules);
  const committed = commitments.flatMap((batch) => batch.etches);
  const later = await collectTombstones(work, tx);
  const retractions = [...(await collectTombstonesOf(work, tx, committed)), ...later.etches];
  const tombstones = await planTombstones(retractions, rules, rules.maxAttestations - commitments.length);
  const again = await collectAgain(work, tx);
  const drafts = [
    draftTransaction('attest', [...commitments, ...tombstones]),
    draftTransaction('revoke', planRevocations(retractions, rules)),
    ...again.drafts,
  ].filter((draft) => draft !== null);
  return {
    folded: drafts.map((draft) => ({ draft, calldata: calldataOf(work, draft) })),
    more:
      drafts.length > 0 &&
      (waiting.full || later.full || again.full || committed.length < waiting.etches.length),
  };
}

async function collectAgain({ chain, rules }: Work, tx: Tx): Promise<{ drafts: TxDraft[]; full: boolean }> {
  const commitments = await takeWaitingCommitments(tx, rules.maxAttestations);
  const left = rules.maxAttestations - commitments.length;
  const tombstones = await takeWaitingTombstones(tx, chain.relayer, { inTrees: true, limit: left });
  const limit = rules.maxRevocations;
  const revocations = await takeWaitingTombstones(tx, chain.relayer, { inTrees: false, limit });
  const trees = [...commitments, ...tombstones];
  return {
    drafts: [draftAgain('attest', trees), draftAgain('revoke', revocations)].filter(
      (draft) => draft !== null,
    ),
    full: trees.length === rules.maxAttestations || revocations.length === limit,
  };
}

function draftAgain(action: 'attest' | 'revoke', trees: readonly WaitingTree[]): TxDraft | null {
  if (trees.length === 0) return null;
  return {
    action,
    batches: [...trees],
    uids: action === 'revoke' ? trees.map(({ uid }) => uid!) : [],
    notBefore: trees.reduce((newest, { notBefore }) => (notBefore > newest ? notBefore : newest), ''),
    tries: Math.max(...trees.map(({ tries }) => tries)),
  };
}

function calldataOf({ chain }: Work, draft: TxDraft): Hex {
  if (draft.action === 'revoke')
    return chain.encodeRevoke(draft.uids.map((uid): Hex => `0x${uid.toString('hex')}`));
  return chain.encodeAttest(
    draft.batches.map((batch) => ({ data: attestationData(batch), revocable: batch.treeVersion === 0 })),
  );
}
