import { buildFlatTree, bytesToHex, etchLeaf } from '@svc/protocol';
import { runInTimeSlices } from '../../platform/flow/time-slices.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import type { BatchDraft, TxDraft } from '../ledger/staging.ts';
import { PACE, type Rules } from '../rules.ts';

export interface Candidate {
  kind: 0 | 1;
  etchId: string;
  userId: string;
  hash: Buffer;
  notBefore: string;
  tries: number;
  treeVersion: 0 | 1 | 2;
  uid?: Buffer;
}

export async function planCommitments(candidates: readonly Candidate[], rules: Rules): Promise<Batched[]> {
  const room = Math.max(1, rules.maxAttestations - TOMBSTONE_TREES);
  if (rules.scheme === 'single') return candidates.slice(0, room).map((etch) => single(etch));
  return (await runInTimeSlices(trees(candidates, rules.maxLeaves), PACE)).slice(0, room);
}

export async function planTombstones(candidates: readonly Candidate[], rules: Rules, room: number) {
  const versions: Batched[] = [];
  for (const version of [1, 2]) {
    const etches = candidates.filter((etch) => etch.treeVersion === version);
    versions.push(...(await runInTimeSlices(trees(etches, rules.maxLeaves), PACE)));
  }
  return versions.slice(0, Math.max(0, room));
}

export function planRevocations(candidates: readonly Candidate[], rules: Rules): Batched[] {
  return candidates
    .filter((etch) => etch.treeVersion === 0)
    .slice(0, rules.maxRevocations)
    .map((etch) => single(etch));
}

export interface Batched extends BatchDraft {
  etches: readonly Candidate[];
}

/** Reserved for retractions folded with their commitments. */
const TOMBSTONE_TREES = 4;

export function draftTransaction(action: 'attest' | 'revoke', batches: readonly Batched[]): TxDraft | null {
  const etches = batches.flatMap((batch) => batch.etches);
  if (etches.length === 0) return null;
  return {
    action,
    batches: [...batches],
    uids: action === 'revoke' ? etches.map((etch) => etch.uid!) : [],
    notBefore: etches.reduce((newest, etch) => (etch.notBefore > newest ? etch.notBefore : newest), ''),
    tries: Math.max(...etches.map((etch) => etch.tries)),
  };
}

function single(etch: Candidate): Batched {
  return {
    kind: etch.kind,
    treeVersion: 0,
    root: etch.hash,
    treeSize: 1,
    members: [{ etchId: etch.etchId, proof: new Uint8Array(0) }],
    etches: [etch],
  };
}

/**
 * Yields at each leaf: ten thousand would block the thread for a tenth of a second. No tree may contain equal
 * leaves.
 */
function* trees(candidates: readonly Candidate[], maxLeaves: number): Generator<true | undefined, Batched[]> {
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
  const folded: Batched[] = [];
  for (const { leaves, etches } of open) {
    yield true;
    const tree = buildFlatTree(leaves, sha256);
    yield;
    const [first] = etches;
    const members: Batched['members'][number][] = [];
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
      etches,
    });
  }
  return folded;
}
