import {
  buildTree,
  bytesToHex,
  canonicalString,
  encodeAttestationData,
  etchHash,
  etchLeaf,
  hexToBytes,
  packLeaves,
} from '@svc/protocol';
import { describe, expect, test } from 'vitest';
import {
  AttestedTrees,
  boundParts,
  etchFault,
  isRevokedTree,
  rebuildFault,
  RecordComparison,
} from '../src/index.ts';
import type { OnchainAttestation, RecordedEtch } from '../src/index.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';
const hashOf = (value: number) => value.toString(16).padStart(64, '0');
const uidOf = (value: number) => `0x${hashOf(value)}`;

function treeOf(version: 1 | 2, leaves: { user_id: string; hash: string }[]) {
  const { root, proofs } = buildTree(leaves.map(({ user_id, hash }) => etchLeaf(version, user_id, hash)));
  return {
    root: bytesToHex(root),
    size: leaves.length,
    proofs: proofs.map((proof) => proof.map(bytesToHex)),
  };
}

const attestation = (
  uid: number,
  data: Parameters<typeof encodeAttestationData>[0],
  revocationTime = 0,
): OnchainAttestation => ({
  uid: uidOf(uid),
  schema: uidOf(1),
  attester: `0x${'ab'.repeat(20)}`,
  time: 1_800_000_000,
  revocationTime,
  data: `0x${bytesToHex(encodeAttestationData(data))}`,
});

const TIME = 1_800_000_000;
const ANCHORED_AT = new Date(TIME * 1000).toISOString();
const parts = {
  userId: ADA,
  createdAt: '2026-05-06T07:08:09.123Z',
  salt: 'ab'.repeat(32),
  content: 'It will rain.',
};
const hashes = [11, 12, 13, 14, 15].map(hashOf);
hashes[1] = etchHash(canonicalString(parts));
const leaves = hashes.map((hash, at) => ({ user_id: at < 3 ? ADA : BEN, hash }));
const tree = treeOf(2, leaves);
const stones = treeOf(2, [leaves[0]!]);

const attested = () => {
  const trees = new AttestedTrees();
  trees.add(attestation(1, { root: hexToBytes(tree.root), kind: 0, treeVersion: 2, treeSize: tree.size }));
  trees.add(attestation(2, { root: hexToBytes(stones.root), kind: 1, treeVersion: 2, treeSize: 1 }));
  return trees;
};

const etchOf = (at: number, more: Partial<RecordedEtch['chain']> = {}): RecordedEtch => ({
  id: `etch ${at}`,
  status: at === 0 ? 'retracted' : 'sealed',
  mode: 'delayed',
  hash: hashes[at]!,
  content: null,
  salt: null,
  created_at: null,
  canonical_string: null,
  author: { user_id: leaves[at]!.user_id },
  chain: {
    status: 'anchored',
    attestation_uid: uidOf(1),
    anchored_at: ANCHORED_AT,
    root: tree.root,
    proof: tree.proofs[at]!,
    tree_size: tree.size,
    tree_version: 2,
    revocation_status: at === 0 ? 'revoked' : 'none',
    revocation_attestation_uid: at === 0 ? uidOf(2) : null,
    revocation_root: at === 0 ? stones.root : null,
    revocation_proof: at === 0 ? [] : null,
    revocation_tree_version: at === 0 ? 2 : null,
    ...more,
  },
});

const open = (more: Partial<RecordedEtch> = {}): RecordedEtch => ({
  ...etchOf(1),
  status: 'revealed',
  content: parts.content,
  salt: parts.salt,
  created_at: parts.createdAt,
  canonical_string: canonicalString(parts),
  ...more,
});

function compare(record: RecordedEtch[], userId = ADA, unnamed: readonly string[] = []) {
  const comparison = new RecordComparison(userId, attested());
  record.forEach((etch) => comparison.add(etch));
  return comparison.finish({
    unnamed: new Set(unnamed),
    etches: new Map(leaves.filter((leaf) => leaf.user_id === userId).map(({ hash }) => [hash, tree.root])),
    tombstones: new Map(userId === ADA ? [[hashes[0]!, stones.root]] : []),
    singles: new Set(),
  });
}
const whatsOf = (record: RecordedEtch[], userId = ADA) =>
  compare(record, userId).faults.map(({ what }) => what);
const whole = () => [etchOf(0), etchOf(1), etchOf(2)];

describe('attested trees', () => {
  test('lists each root once; it is revoked only when every attestation is', () => {
    const data = { root: hexToBytes(hashOf(9)), kind: 0, treeVersion: 0, treeSize: 1 } as const;
    const trees = new AttestedTrees();
    trees.add(attestation(1, data, 7));
    trees.add(attestation(2, data));
    expect([...trees.trees.values()]).toMatchObject([{ revoked: false, uids: [uidOf(1), uidOf(2)] }]);
    expect(trees.withRoot(0, hashOf(9))).toHaveLength(1);
    expect(trees.withRoot(1, hashOf(9))).toHaveLength(0);
  });

  test('marks a tree as revoked when one of its attestations is', () => {
    const data = { root: hexToBytes(tree.root), kind: 0, treeVersion: 2, treeSize: tree.size } as const;
    for (const times of [
      [7, 0],
      [0, 7],
    ]) {
      const trees = new AttestedTrees();
      times.forEach((time, at) => trees.add(attestation(at + 1, data, time)));
      expect([...trees.trees.values()].map(isRevokedTree)).toEqual([true]);
    }
    expect([...attested().trees.values()].some(isRevokedTree)).toBe(false);
  });

  test('lists attestations with other data as unreadable', () => {
    const trees = new AttestedTrees();
    trees.add({
      ...attestation(3, { root: hexToBytes(hashOf(9)), kind: 0, treeVersion: 1, treeSize: 1 }),
      data: '0x00',
    });
    trees.add(attestation(4, { root: hexToBytes(hashOf(9)), kind: 1, treeVersion: 0, treeSize: 1 }));
    expect(trees.trees.size).toBe(0);
    expect(trees.unreadable).toEqual([uidOf(3), uidOf(4)]);
  });
});

describe('rebuilding a tree', () => {
  const attestedTree = { root: tree.root, treeVersion: 2, treeSize: tree.size } as const;
  test('gives the root for its leaves in any order', () => {
    expect(rebuildFault(attestedTree, [...leaves].reverse())).toBeNull();
    const v1 = treeOf(1, leaves);
    const nameless = leaves.map(({ hash }) => ({ hash }));
    expect(rebuildFault({ root: v1.root, treeVersion: 1, treeSize: v1.size }, nameless)).toBeNull();
    expect(
      rebuildFault({ root: hashes[0]!, treeVersion: 0, treeSize: 1 }, [{ hash: hashes[0]! }]),
    ).toBeNull();
  });

  test('gives the root for packed leaves, and not for fewer, more, other or truncated ones', () => {
    const packed = packLeaves(2, leaves);
    expect(rebuildFault(attestedTree, packed)).toBeNull();
    const other = packed.slice();
    other[50]! ^= 1;
    expect(rebuildFault(attestedTree, other)).toMatch(/fold to [0-9a-f]{64}/);
    expect(rebuildFault(attestedTree, packed.subarray(48))).toMatch(/4 were given: 1 missing/);
    expect(rebuildFault(attestedTree, new Uint8Array(6 * 48))).toMatch(/6 were given: 1 too many/);
    expect(rebuildFault(attestedTree, packed.subarray(0, 47))).toMatch(/end within one: 47 bytes/);
    expect(rebuildFault({ root: hashes[0]!, treeVersion: 0, treeSize: 1 }, packed)).not.toBeNull();
  });

  test('does not give the root for other leaves', () => {
    const swapped = leaves.map((leaf, at) => (at === 0 ? { ...leaf, user_id: BEN } : leaf));
    expect(rebuildFault(attestedTree, swapped)).toMatch(/fold to [0-9a-f]{64}/);
    expect(rebuildFault(attestedTree, leaves.slice(1))).toMatch(
      /5 leaves are attested, 4 were given: 1 missing/,
    );
    expect(rebuildFault(attestedTree, [...leaves, leaves[0]!])).toMatch(/1 too many/);
    expect(rebuildFault(attestedTree, [...leaves.slice(1), leaves[1]!])).toMatch(/two leaves are equal/);
    expect(
      rebuildFault(
        attestedTree,
        leaves.map(({ hash }) => ({ hash })),
      ),
    ).toMatch(/cannot be folded/);
    expect(
      rebuildFault(
        attestedTree,
        leaves.map(({ user_id }) => ({ user_id, hash: 'x' })),
      ),
    ).toMatch(/cannot be folded/);
    expect(
      rebuildFault({ root: hashes[0]!, treeVersion: 0, treeSize: 1 }, [{ hash: hashes[1]! }]),
    ).not.toBeNull();
  });
});

describe('comparing a record', () => {
  test('finds no fault in a complete record', () => {
    expect(compare(whole())).toEqual({
      faults: [],
      notices: [],
      counts: {
        leaves: 3,
        shown: 3,
        sealed: 2,
        retracted: 1,
        takenDown: 0,
        pending: 0,
        treeV1: 0,
        single: 0,
      },
    });
    expect(compare([etchOf(3), etchOf(4)], BEN).faults).toEqual([]);
  });

  test('reports a missing and a repeated etch', () => {
    expect(compare(whole().slice(0, 2)).faults).toMatchObject([
      { what: 'missing', hash: hashes[2], etch_id: null },
    ]);
    expect(whatsOf([...whole(), etchOf(1)])).toEqual(['doubled']);
  });

  test('reports an etch of a different author', () => {
    expect(whatsOf([...whole(), etchOf(3)])).toEqual(['altered']);
    expect(whatsOf([...whole(), { ...etchOf(3), author: { user_id: ADA } }])).toEqual(['altered']);
  });

  test('reports a changed hash and changed words', () => {
    expect(whatsOf([etchOf(0), etchOf(1), { ...etchOf(2), hash: hashOf(99) }])).toEqual([
      'altered',
      'missing',
    ]);
    expect(whatsOf([etchOf(0), etchOf(1), { ...etchOf(2), canonical_string: 'other words' }])).toEqual([
      'altered',
    ]);
  });

  test('reports an etch without an attestation on the chain', () => {
    const other = treeOf(2, [{ user_id: ADA, hash: hashOf(77) }]);
    const claimed = { ...etchOf(1, { root: other.root, proof: [], tree_size: 1 }), hash: hashOf(77) };
    expect(whatsOf([...whole(), claimed])).toEqual(['not attested']);
    expect(whatsOf([etchOf(0), etchOf(1), etchOf(2, { tree_size: 6 })])).toEqual(['not attested']);
    const single = etchOf(1, { root: null, proof: null, tree_size: null, tree_version: null });
    expect(etchFault(single, ADA, attested())?.what).toBe('not attested');
  });

  test('reports an attestation by an untrusted relayer, of a root that a trusted one attested', () => {
    const stranger = uidOf(66);
    expect(whatsOf([etchOf(0), etchOf(1), etchOf(2, { attestation_uid: stranger })])).toEqual([
      'not attested',
    ]);
    expect(whatsOf([etchOf(0, { revocation_attestation_uid: stranger }), etchOf(1), etchOf(2)])).toEqual([
      'not attested',
    ]);
    const trees = attested();
    const again = { root: hexToBytes(tree.root), kind: 0, treeVersion: 2, treeSize: tree.size } as const;
    trees.add(attestation(66, again));
    expect(etchFault(etchOf(2, { attestation_uid: stranger }), ADA, trees), 'attested twice').toBeNull();
    const none = { root: null, proof: null, tree_size: null, tree_version: null };
    trees.add(attestation(3, { root: hexToBytes(hashes[1]!), kind: 0, treeVersion: 0, treeSize: 1 }));
    const alone = etchOf(1, { ...none, attestation_uid: stranger });
    expect(etchFault(alone, ADA, trees)?.what).toBe('not attested');
    expect(etchFault(etchOf(1, { ...none, attestation_uid: uidOf(3) }), ADA, trees)).toBeNull();
  });

  test('counts etches that are not anchored yet', () => {
    const pending = {
      status: 'pending',
      attestation_uid: null,
      anchored_at: null,
      root: null,
      proof: null,
      tree_size: null,
      tree_version: null,
    };
    const { faults, counts } = compare([...whole(), { ...etchOf(1, pending), hash: hashOf(50) }]);
    expect(faults).toEqual([]);
    expect(counts).toMatchObject({ pending: 1, leaves: 3, shown: 3 });
    // Shown as pending, although a tree contains its leaf.
    expect(whatsOf([etchOf(0), etchOf(1, pending), etchOf(2)])).toEqual(['not anchored']);
    const unnamed = compare([...whole(), { ...etchOf(1, pending), hash: hashOf(50) }], ADA, [hashOf(50)]);
    expect(unnamed.faults).toMatchObject([{ what: 'not anchored', hash: hashOf(50) }]);
    expect(whatsOf([etchOf(0), etchOf(1, { status: 'pending' }), etchOf(2)])).toEqual(['not anchored']);
    const claimed = { ...etchOf(1, { ...pending, status: 'anchored' }), hash: hashOf(50) };
    expect(whatsOf([...whole(), claimed])).toEqual(['not attested']);
  });

  test('reports a missing and an extra tombstone', () => {
    const hidden = { revocation_root: null, revocation_proof: null, revocation_tree_version: null };
    expect(whatsOf([{ ...etchOf(0, hidden), status: 'sealed' }, etchOf(1), etchOf(2)])).toEqual([
      'not retracted',
    ]);
    const pretended = {
      revocation_root: hashOf(5),
      revocation_proof: [],
      revocation_tree_version: 2 as const,
    };
    expect(whatsOf([etchOf(0), { ...etchOf(1, pretended), status: 'retracted' }, etchOf(2)])).toEqual([
      'altered',
    ]);
    const unattested = treeOf(2, [leaves[1]!]);
    const claimed = { ...pretended, revocation_root: unattested.root };
    expect(whatsOf([etchOf(0), { ...etchOf(1, claimed), status: 'retracted' }, etchOf(2)])).toEqual([
      'not attested',
    ]);
  });

  test('reports words that the canonical string does not bind', () => {
    const faults = (etch: RecordedEtch) => compare([etchOf(0), etch, etchOf(2)]).faults;
    expect(faults(open())).toEqual([]);
    const others = canonicalString({ ...parts, content: 'x' });
    for (const [more, detail] of [
      [{ content: 'It will snow.' }, 'its content is not the one in its canonical_string'],
      [{ created_at: '2026-05-06T07:08:09.124Z' }, 'its created_at is not the one in its canonical_string'],
      [{ salt: 'ac'.repeat(32) }, 'its salt is not the one in its canonical_string'],
      [{ content: null }, 'its content is not the one in its canonical_string'],
      [{ canonical_string: null }, 'it shows content without canonical_string, so nothing binds it'],
      [{ canonical_string: null, content: null }, 'it shows salt without canonical_string'],
      [
        { canonical_string: null, content: null, salt: null, created_at: null },
        'its status is revealed, and it has no canonical_string',
      ],
      [{ status: 'sealed' as const }, 'its status is sealed, and it has a canonical_string'],
      [{ retracted_by: 'operator' as const }, 'it is marked as taken down, and its status is revealed'],
      [{ canonical_string: others }, 'its words do not make its hash'],
    ] as const)
      expect(faults(open(more)), detail).toMatchObject([
        { what: 'altered', detail: expect.stringContaining(detail) },
      ]);
    expect(boundParts(open({ content: 'It will snow.' }))).toEqual(parts);
    expect(boundParts(open({ canonical_string: others }))).toBeNull();
    expect(boundParts(open({ canonical_string: '\ud800' }))).toBeNull();
    expect(boundParts(open({ author: { user_id: BEN } }))).toBeNull();
  });

  test('reports an attestation time that differs from the chain', () => {
    const later = { anchored_at: '2026-05-06T07:08:09.000Z' };
    expect(whatsOf([etchOf(0), etchOf(1, later), etchOf(2)])).toEqual(['altered']);
    expect(whatsOf([etchOf(0), etchOf(1, { anchored_at: null }), etchOf(2)])).toEqual(['altered']);
  });

  test('reports a takedown without a tombstone', () => {
    const down = { retracted_by: 'operator' as const };
    expect(compare([{ ...etchOf(0), ...down }, etchOf(1), etchOf(2)])).toMatchObject({
      faults: [],
      counts: { retracted: 0, takenDown: 1 },
    });
    const claimed = { ...etchOf(1), status: 'retracted' as const, ...down };
    expect(whatsOf([etchOf(0), claimed, etchOf(2)])).toEqual(['no tombstone']);
  });

  test('notes an instant etch shown as sealed, and a retraction without a tombstone', () => {
    const instant = { ...etchOf(1), mode: 'instant' as const };
    const retracted = { ...etchOf(2, { revocation_status: 'pending' }), status: 'retracted' as const };
    expect(compare([etchOf(0), instant, retracted])).toMatchObject({
      faults: [],
      notices: [
        { what: 'sealed although instant', etch_id: 'etch 1', hash: hashes[1] },
        { what: 'retracted without a tombstone', etch_id: 'etch 2', hash: hashes[2] },
      ],
    });
  });

  test('compares the revocation of an etch without a tree with its retraction', () => {
    const none = { root: null, proof: null, tree_size: null, tree_version: null };
    const nothing = { revocation_root: null, revocation_proof: null, revocation_tree_version: null };
    const data = { root: hexToBytes(hashes[1]!), kind: 0, treeVersion: 0, treeSize: 1 } as const;
    for (const [revokedAt, status, revocation, what, by] of [
      [0, 'sealed', 'none', undefined],
      [9, 'sealed', 'none', 'not retracted'],
      [9, 'retracted', 'revoked', undefined],
      [0, 'retracted', 'pending', undefined],
      [0, 'retracted', 'revoked', 'not attested'],
      [9, 'retracted', 'revoked', undefined, 'operator'],
      [0, 'retracted', 'pending', 'no tombstone', 'operator'],
    ] as const) {
      const trees = new AttestedTrees();
      trees.add(attestation(1, data, revokedAt));
      const etch = {
        ...etchOf(1, { ...none, ...nothing, revocation_status: revocation }),
        status,
        retracted_by: by,
      };
      expect(etchFault(etch, ADA, trees)?.what, `${revokedAt} ${status}`).toBe(what);
    }
  });
});
