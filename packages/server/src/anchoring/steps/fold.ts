import type { Hex } from '../../chain/port.ts';
import type { Tx } from '../../db/db.ts';
import { attestationData } from './read-back.ts';
import { takeWaitingCommitments, takeWaitingTombstones } from '../ledger/former.ts';
import type { BatchDraft } from '../ledger/staging.ts';
import type { Work } from '../work.ts';
import { collectCommitments, collectTombstones, collectTombstonesOf } from './collect.ts';
import { planCommitments, planRevocations, planTombstones } from './plan.ts';

export interface Folded {
  action: 'attest' | 'revoke';
  batches: readonly BatchDraft[];
  calldata: Hex;
}

/** New etches go first, then trees of a former chain. `more`: some did not fit. */
export async function foldQueue(work: Work, tx: Tx): Promise<{ folded: Folded[]; more: boolean }> {
  const { rules, chain } = work;
  const waiting = await collectCommitments(work, tx);
  const commitments = await planCommitments(waiting.etches, rules);
  const later = await collectTombstones(work, tx);
  const retractions = [...(await collectTombstonesOf(work, tx, commitments)), ...later.etches];
  const tombstones = await planTombstones(retractions, rules, rules.maxAttestations - commitments.length);
  const oldCommitments = await takeWaitingCommitments(tx, rules.maxAttestations);
  const left = rules.maxAttestations - oldCommitments.length;
  const oldTombstones = await takeWaitingTombstones(tx, chain.relayer, { inTrees: true, limit: left });
  const limit = rules.maxRevocations;
  const oldRevocations = await takeWaitingTombstones(tx, chain.relayer, { inTrees: false, limit });
  const folded = [
    attest(work, [...commitments, ...tombstones]),
    revoke(work, planRevocations(retractions, rules)),
    attest(work, [...oldCommitments, ...oldTombstones]),
    revoke(work, oldRevocations),
  ].filter(({ batches }) => batches.length > 0);
  const committed = commitments.reduce((sum, { treeSize }) => sum + treeSize, 0);
  const isFull =
    oldTombstones.length === left || oldRevocations.length === limit || waiting.full || later.full;
  return { folded, more: folded.length > 0 && (isFull || committed < waiting.etches.length) };
}

function attest({ chain }: Work, batches: readonly BatchDraft[]): Folded {
  const trees = batches.map((tree) => ({ data: attestationData(tree), revocable: tree.treeVersion === 0 }));
  return { action: 'attest', batches, calldata: chain.encodeAttest(trees) };
}

function revoke({ chain }: Work, batches: readonly BatchDraft[]): Folded {
  const uids = batches.map(({ uid }): Hex => `0x${uid!.toString('hex')}`);
  return { action: 'revoke', batches, calldata: chain.encodeRevoke(uids) };
}
