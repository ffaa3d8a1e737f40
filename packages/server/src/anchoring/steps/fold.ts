// Takes queued etches and tombstones and plans their trees. A row whose hash does not match is set aside.
import { buildFlatTree, bytesToHex, canonicalString, etchLeaf } from '@svc/protocol';
import type { Hex } from '../../chain/port.ts';
import type { Tx } from '../../db/db.ts';
import { runInTimeSlices } from '../../platform/flow/time-slices.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import { takeWaitingCommitments, takeWaitingTombstones } from '../ledger/former.ts';
import {
  type Candidate,
  haltJob,
  type JobRow,
  takeCommitments,
  takeTombstones,
  takeTombstonesOf,
} from '../ledger/queue.ts';
import { type BatchDraft, newest } from '../ledger/staging.ts';
import { PACE, type Rules } from '../rules.ts';
import type { Work } from '../work.ts';
import { attestationData } from './read-back.ts';

export interface FoldedTransaction {
  action: 'attest' | 'revoke';
  batches: readonly BatchDraft[];
  calldata: Hex;
}

/** New etches go first, then trees of a former chain. `more`: some did not fit. */
export async function foldQueue(work: Work, tx: Tx): Promise<{ folded: FoldedTransaction[]; more: boolean }> {
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

function attest({ chain }: Work, batches: readonly BatchDraft[]): FoldedTransaction {
  const trees = batches.map((tree) => ({ data: attestationData(tree), revocable: tree.treeVersion === 0 }));
  return { action: 'attest', batches, calldata: chain.encodeAttest(trees) };
}

function revoke({ chain }: Work, batches: readonly BatchDraft[]): FoldedTransaction {
  const uids = batches.map(({ uid }): Hex => `0x${uid!.toString('hex')}`);
  return { action: 'revoke', batches, calldata: chain.encodeRevoke(uids) };
}

const ROWS_AT_ONCE = 1_000;

/** Recomputes each hash and sets aside a row that does not match. */
async function collectCommitments(work: Work, tx: Tx) {
  const { scheme, maxLeaves, maxAttestations } = work.rules;
  const limit = scheme === 'single' ? maxAttestations : maxLeaves;
  const treeVersion = scheme === 'single' ? 0 : scheme === 'tree-v1' ? 1 : 2;
  const etches: Candidate[] = [];
  let last: JobRow | undefined;
  for (let left = limit; left > 0;) {
    const wanted = Math.min(left, ROWS_AT_ONCE);
    const rows = await takeCommitments(tx, wanted, last);
    const faults = await runInTimeSlices(judge(rows, work), PACE);
    for (const [at, row] of rows.entries()) {
      const fault = faults[at];
      if (fault) await setAside(work, tx, row, fault);
      else etches.push({ ...candidate(row), treeVersion });
    }
    if (rows.length < wanted) return { etches, full: false };
    left -= rows.length;
    last = rows.at(-1);
  }
  return { etches, full: true };
}

async function collectTombstones(work: Work, tx: Tx): Promise<{ etches: Candidate[]; full: boolean }> {
  const rows = await takeTombstones(tx, work.chain.relayer, work.rules.maxLeaves);
  return { etches: await withoutFaults(work, tx, rows), full: rows.length === work.rules.maxLeaves };
}

async function collectTombstonesOf(work: Work, tx: Tx, committed: readonly BatchDraft[]) {
  const trees = committed.filter(({ treeVersion }) => treeVersion !== 0);
  if (trees.length === 0) return [];
  const ids = trees.flatMap(({ members }) => members.map(({ etchId }) => etchId));
  return withoutFaults(work, tx, await takeTombstonesOf(tx, ids, trees[0]!.treeVersion as 1 | 2));
}

async function withoutFaults(work: Work, tx: Tx, rows: readonly Candidate[]): Promise<Candidate[]> {
  for (const row of rows)
    if (row.hash.length !== 32) await setAside(work, tx, row, 'its hash is not 32 bytes long');
  return rows.filter(({ hash }) => hash.length === 32);
}

function candidate({ kind, etchId, userId, hash, notBefore, tries }: JobRow): Omit<Candidate, 'treeVersion'> {
  return { kind, etchId, userId, hash, notBefore, tries };
}

function* judge(rows: readonly JobRow[], work: Work): Generator<undefined, (string | undefined)[]> {
  const faults: (string | undefined)[] = [];
  for (const row of rows) {
    faults.push(faultOf(row, work));
    yield;
  }
  return faults;
}

function faultOf(row: JobRow, work: Work): string | undefined {
  if (row.hash.length !== 32) return 'its hash is not 32 bytes long';
  if (row.status === 'retracted') return undefined;
  let parts: { content: string; salt: string } | null;
  try {
    if (row.status === 'sealed') {
      if (!row.sealed) return 'its sealed text is missing';
      parts = work.decryptHidden?.({ id: row.etchId, sealed: row.sealed }) ?? null;
      if (!parts) return undefined;
    } else {
      if (row.content === null || !row.salt) return 'its text or salt is missing';
      parts = { content: row.content, salt: row.salt.toString('hex') };
    }
    const canonical = canonicalString({ userId: row.userId, createdAt: row.createdAt, ...parts });
    return sha256(canonical).equals(row.hash) ? undefined : 'its hash does not match its parts';
  } catch {
    return 'its parts do not make a canonical string';
  }
}

async function setAside(
  work: Work,
  tx: Tx,
  row: Pick<Candidate, 'kind' | 'etchId'>,
  reason: string,
): Promise<void> {
  await haltJob(tx, row, reason);
  work.log.error({ etch_id: row.etchId, kind: row.kind }, `anchoring: an etch is set aside: ${reason}`);
}

/** Reserved for retractions folded with their commitments. */
const TOMBSTONE_TREES = 4;

export async function planCommitments(candidates: readonly Candidate[], rules: Rules): Promise<BatchDraft[]> {
  const capacity = Math.max(1, rules.maxAttestations - TOMBSTONE_TREES);
  if (rules.scheme === 'single') return candidates.slice(0, capacity).map(single);
  return (await runInTimeSlices(trees(candidates, rules.maxLeaves), PACE)).slice(0, capacity);
}

async function planTombstones(candidates: readonly Candidate[], rules: Rules, capacity: number) {
  const versions: BatchDraft[] = [];
  for (const version of [1, 2]) {
    const etches = candidates.filter((etch) => etch.treeVersion === version);
    versions.push(...(await runInTimeSlices(trees(etches, rules.maxLeaves), PACE)));
  }
  return versions.slice(0, Math.max(0, capacity));
}

const planRevocations = (candidates: readonly Candidate[], rules: Rules): BatchDraft[] =>
  candidates
    .filter((etch) => etch.treeVersion === 0)
    .slice(0, rules.maxRevocations)
    .map(single);

function single({ kind, etchId, hash: root, notBefore, tries, uid }: Candidate): BatchDraft {
  const members = [{ etchId, proof: new Uint8Array(0) }];
  return { kind, treeVersion: 0, root, treeSize: 1, members, notBefore, tries, uid };
}

/**
 * Yields at each leaf: ten thousand would block the thread for a tenth of a second. No tree may contain equal
 * leaves.
 */
function* trees(
  candidates: readonly Candidate[],
  maxLeaves: number,
): Generator<true | undefined, BatchDraft[]> {
  const open: { seen: Set<string>; leaves: Uint8Array[]; etches: Candidate[] }[] = [];
  for (const etch of candidates) {
    const leaf = etchLeaf(etch.treeVersion as 1 | 2, etch.userId, bytesToHex(etch.hash), sha256);
    const key = bytesToHex(leaf);
    let tree = open.find((some) => some.leaves.length < maxLeaves && !some.seen.has(key));
    if (!tree) open.push((tree = { seen: new Set(), leaves: [], etches: [] }));
    tree.seen.add(key);
    tree.leaves.push(leaf);
    tree.etches.push(etch);
    yield;
  }
  const folded: BatchDraft[] = [];
  for (const { leaves, etches } of open) {
    yield true;
    const tree = buildFlatTree(leaves, sha256);
    yield;
    const [first] = etches;
    const members: BatchDraft['members'] = [];
    for (const [at, etch] of etches.entries()) {
      members.push({ etchId: etch.etchId, proof: tree.proof(at) });
      yield;
    }
    folded.push({
      kind: first!.kind,
      treeVersion: first!.treeVersion,
      root: tree.root,
      treeSize: etches.length,
      members,
      notBefore: newest(etches.map((etch) => etch.notBefore)),
      tries: Math.max(...etches.map((etch) => etch.tries)),
    });
  }
  return folded;
}
