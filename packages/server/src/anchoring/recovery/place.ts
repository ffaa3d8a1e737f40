import { type AttestationData, buildFlatTree, bytesToHex, etchLeaf, type FlatTree } from '@svc/protocol';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import type { Waiting } from '../ledger/adoption.ts';
import { type BatchDraft, newest } from '../ledger/staging.ts';

export type Placed = BatchDraft & { position: number };

/** Leaves to fold per transaction, about one second. */
const BUDGET = 500_000;

/** A tree's leaves are a contiguous run of the queue. */
export function place(wanted: readonly (AttestationData | null)[], waiting: readonly Waiting[]): Placed[] {
  const versions = new Map<string, 0 | 1 | 2>();
  const taken = new Set<Waiting>();
  const placed: Placed[] = [];
  const budget = BUDGET / Math.max(1, wanted.length);
  for (const [position, attested] of wanted.entries()) {
    if (!attested) continue;
    const { kind, treeVersion } = attested;
    const left = waiting.filter((etch) => !taken.has(etch) && etch.kind === kind);
    const runs =
      kind === 0
        ? [left]
        : [
            left.filter((etch) => versions.get(etch.etchId) === treeVersion),
            left.filter((etch) => (versions.get(etch.etchId) ?? etch.treeVersion) === treeVersion),
          ];
    const found = runs.reduce<Found | null>((before, run) => before ?? search(attested, run, budget), null);
    if (!found) continue;
    for (const etch of found.etches) {
      taken.add(etch);
      if (kind === 0) versions.set(etch.etchId, treeVersion);
    }
    const members = found.etches.map(({ etchId }, at) => ({ etchId, proof: found.tree.proof(at) }));
    const notBefore = newest(found.etches.map((etch) => etch.notBefore));
    placed.push({ ...attested, members, position, notBefore, tries: 0 });
  }
  return placed;
}

interface Found {
  etches: readonly Waiting[];
  tree: Pick<FlatTree, 'proof'>;
}

function search(attested: AttestationData, waiting: readonly Waiting[], budget: number): Found | null {
  const { root, treeVersion, treeSize } = attested;
  if (treeVersion === 0) {
    const etch = waiting.find(({ hash }) => hash.equals(root));
    return etch ? { etches: [etch], tree: { proof: () => new Uint8Array(0) } } : null;
  }
  const runs = Math.min(waiting.length - treeSize + 1, Math.max(1, Math.floor(budget / treeSize)));
  const leaves = waiting
    .slice(0, Math.max(0, runs - 1 + treeSize))
    .map((etch) => etchLeaf(treeVersion, etch.userId, bytesToHex(etch.hash), sha256));
  for (let from = 0; from < runs; from++) {
    const tree = fold(leaves.slice(from, from + treeSize));
    if (tree && Buffer.from(tree.root).equals(root))
      return { etches: waiting.slice(from, from + treeSize), tree };
  }
  return null;
}

function fold(leaves: readonly Uint8Array[]): FlatTree | null {
  try {
    return buildFlatTree(leaves, sha256);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
