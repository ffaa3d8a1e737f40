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

const TIME = 1_800_000_000;
type Data = Parameters<typeof encodeAttestationData>[0];
const dataOf = (root: string, kind: 0 | 1, treeVersion: 0 | 1 | 2, treeSize: number): Data => ({
  root: hexToBytes(root),
  kind,
  treeVersion,
  treeSize,
});
const attestation = (uid: number, data: Data, revocationTime = 0): OnchainAttestation => ({
  uid: uidOf(uid),
  schema: uidOf(1),
  attester: `0x${'ab'.repeat(20)}`,
  time: TIME,
  revocationTime,
  data: `0x${bytesToHex(encodeAttestationData(data))}`,
});
function treesOf(...attestations: OnchainAttestation[]): AttestedTrees {
  const trees = new AttestedTrees();
  attestations.forEach((one) => trees.add(one));
  return trees;
}

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
const ofTree = dataOf(tree.root, 0, 2, tree.size);
const attested = (...more: OnchainAttestation[]) =>
  treesOf(attestation(1, ofTree), attestation(2, dataOf(stones.root, 1, 2, 1)), ...more);

const NO_TREE = { root: null, proof: null, tree_size: null, tree_version: null };
const PENDING = { ...NO_TREE, status: 'pending', attestation_uid: null, anchored_at: null };
const NO_TOMBSTONE = { revocation_root: null, revocation_proof: null, revocation_tree_version: null };

const etchOf = (at: number, chain: Partial<RecordedEtch['chain']> = {}, more: object = {}): RecordedEtch => ({
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
    anchored_at: new Date(TIME * 1000).toISOString(),
    root: tree.root,
    proof: tree.proofs[at]!,
    tree_size: tree.size,
    tree_version: 2,
    ...NO_TOMBSTONE,
    revocation_status: 'none',
    revocation_attestation_uid: null,
    ...(at === 0 && {
      revocation_status: 'revoked',
      revocation_attestation_uid: uidOf(2),
      revocation_root: stones.root,
      revocation_proof: [],
      revocation_tree_version: 2 as const,
    }),
    ...chain,
  },
  ...more,
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
const whole = (...changed: RecordedEtch[]) =>
  [etchOf(0), etchOf(1), etchOf(2)].map((etch) => changed.find(({ id }) => id === etch.id) ?? etch);

describe('attested trees', () => {
  const data = dataOf(hashOf(9), 0, 0, 1);

  test('lists each root once; it is revoked only when every attestation is', () => {
    const trees = treesOf(attestation(1, data, 7), attestation(2, data));
    expect([...trees.trees.values()]).toMatchObject([{ revoked: false, uids: [uidOf(1), uidOf(2)] }]);
    expect(trees.withRoot(0, hashOf(9))).toHaveLength(1);
    expect(trees.withRoot(1, hashOf(9))).toHaveLength(0);
    const [twice] = treesOf(attestation(1, data, 7), attestation(2, data, 7)).trees.values();
    expect(twice).toMatchObject({ revoked: true });
    // Without a tree a revocation is a retraction.
    expect(isRevokedTree(twice!)).toBe(false);
  });

  test('marks a tree as revoked when one of its attestations is', () => {
    const isRevoked = (times: number[]) =>
      [...treesOf(...times.map((time, at) => attestation(at + 1, ofTree, time))).trees.values()].map(
        isRevokedTree,
      );
    expect([[7, 0], [0, 7], [0, 0]].map(isRevoked)).toEqual([[true], [true], [false]]); // oxfmt-ignore
    expect([...attested().trees.values()].some(isRevokedTree)).toBe(false);
  });

  test('lists attestations with other data as unreadable', () => {
    const unreadable = { ...attestation(3, dataOf(hashOf(9), 0, 1, 1)), data: '0x00' };
    const trees = treesOf(unreadable, attestation(4, dataOf(hashOf(9), 1, 0, 1)));
    expect(trees.trees.size).toBe(0);
    expect(trees.unreadable).toEqual([uidOf(3), uidOf(4)]);
  });
});

describe('rebuilding a tree', () => {
  const named = { root: tree.root, treeVersion: 2, treeSize: tree.size } as const;
  const alone = { root: hashes[0]!, treeVersion: 0, treeSize: 1 } as const;
  const { root, size } = treeOf(1, leaves);
  const nameless = leaves.map(({ hash }) => ({ hash }));
  const packed = packLeaves(2, leaves);

  test.each<[string, Parameters<typeof rebuildFault>]>([
    ['leaves in any order', [named, [...leaves].reverse()]],
    ['hashes without authors, version 1', [{ root, treeVersion: 1, treeSize: size }, nameless]],
    ['one hash, version 0', [alone, [{ hash: hashes[0]! }]]],
    ['packed leaves', [named, packed]],
  ])('gives the root for %s', (_, given) => expect(rebuildFault(...given)).toBeNull());

  test.each<[string, Parameters<typeof rebuildFault>, RegExp]>([
    [
      'a leaf of another author',
      [named, leaves.with(0, { ...leaves[0]!, user_id: BEN })],
      /fold to [0-9a-f]{64}/,
    ],
    ['too few', [named, leaves.slice(1)], /5 leaves are attested, 4 were given: 1 missing/],
    ['too many', [named, [...leaves, leaves[0]!]], /1 too many/],
    ['two equal leaves', [named, [...leaves.slice(1), leaves[1]!]], /two leaves are equal/],
    ['leaves without authors', [named, nameless], /cannot be folded/],
    ['a malformed hash', [named, leaves.map((leaf) => ({ ...leaf, hash: 'x' }))], /cannot be folded/],
    ['another hash, version 0', [alone, [{ hash: hashes[1]! }]], /./],
    ['another packed leaf', [named, packed.with(50, packed[50]! ^ 1)], /fold to [0-9a-f]{64}/],
    ['too few packed leaves', [named, packed.subarray(48)], /4 were given: 1 missing/],
    ['too many packed leaves', [named, new Uint8Array(6 * 48)], /6 were given: 1 too many/],
    ['a truncated packed leaf', [named, packed.subarray(0, 47)], /end within one: 47 bytes/],
    ['packed leaves, version 0', [alone, packed], /./],
    ['two hashes, version 0', [alone, [{ hash: hashes[0]! }, { hash: hashes[1]! }]], /./],
  ])('does not give the root for %s', (_, given, fault) => expect(rebuildFault(...given)).toMatch(fault));
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

  const unattested = treeOf(2, [{ user_id: ADA, hash: hashOf(77) }]);
  const stranger = { attestation_uid: uidOf(66) };
  const hidden = { revocation_proof: [], revocation_tree_version: 2 as const };
  const down = { retracted_by: 'operator' };
  const retracted = { status: 'retracted' };
  test.each<[string, RecordedEtch[], ...whats: string[]]>([
    ['a missing etch', whole().slice(0, 2), 'missing'],
    ['a repeated etch', [...whole(), etchOf(1)], 'doubled'],
    ['an etch of a different author', [...whole(), etchOf(3)], 'altered'],
    [
      'another’s etch under this author',
      [...whole(), etchOf(3, {}, { author: { user_id: ADA } })],
      'altered',
    ],
    ['a changed hash', whole(etchOf(2, {}, { hash: hashOf(99) })), 'altered', 'missing'],
    ['changed words', whole(etchOf(2, {}, { canonical_string: 'other words' })), 'altered'],
    [
      'a tree that is not attested',
      [...whole(), etchOf(1, { root: unattested.root, proof: [], tree_size: 1 }, { hash: hashOf(77) })],
      'not attested',
    ],
    ['another tree size', whole(etchOf(2, { tree_size: 6 })), 'not attested'],
    ['an attestation by a stranger', whole(etchOf(2, stranger)), 'not attested'],
    [
      'a tombstone by a stranger',
      whole(etchOf(0, { revocation_attestation_uid: uidOf(66) })),
      'not attested',
    ],
    // A tree contains the leaf.
    ['a pending etch in a tree', whole(etchOf(1, PENDING)), 'not anchored'],
    ['a pending etch with its proof', whole(etchOf(1, { status: 'pending' })), 'not anchored'],
    [
      'an anchored etch without a tree',
      [...whole(), etchOf(1, { ...PENDING, status: 'anchored' }, { hash: hashOf(50) })],
      'not attested',
    ],
    [
      'a pending etch with a root',
      [...whole(), etchOf(1, { ...PENDING, root: tree.root }, { hash: hashOf(50) })],
      'not attested',
    ],
    ['a hidden tombstone', whole(etchOf(0, NO_TOMBSTONE, { status: 'sealed' })), 'not retracted'],
    [
      'a pretended tombstone',
      whole(etchOf(1, { ...hidden, revocation_root: hashOf(5) }, retracted)),
      'altered',
    ],
    [
      'a tombstone that is not attested',
      whole(etchOf(1, { ...hidden, revocation_root: treeOf(2, [leaves[1]!]).root }, retracted)),
      'not attested',
    ],
    ['a later attestation time', whole(etchOf(1, { anchored_at: '2026-05-06T07:08:09.000Z' })), 'altered'],
    ['no attestation time', whole(etchOf(1, { anchored_at: null })), 'altered'],
    ['a takedown without a tombstone', whole(etchOf(1, {}, { ...retracted, ...down })), 'no tombstone'],
  ])('reports %s', (_, record, ...whats) =>
    expect(compare(record).faults.map(({ what }) => what)).toEqual(whats),
  );

  test('reports what the record leaves out: an etch without a tree, and one of which only a tombstone is known', () => {
    const { faults } = new RecordComparison(ADA, attested()).finish({
      etches: new Map(),
      singles: new Set([hashOf(88)]),
      tombstones: new Map([[hashOf(87), stones.root]]),
    });
    const missing = (value: number) => ({ what: 'missing', etch_id: null, hash: hashOf(value) });
    expect(faults).toMatchObject([missing(88), missing(87)]);
  });

  test.each(['proof', 'tree_size', 'tree_version'])('does not accept a tree without %s', (name) => {
    expect(etchFault(etchOf(2, { [name]: null }), ADA, attested())?.what).toBe('not attested');
  });

  test.each(['revocation_root', 'revocation_proof', 'revocation_tree_version'])(
    'does not accept a takedown without %s',
    (name) => {
      expect(etchFault(etchOf(0, { [name]: null }, down), ADA, attested())?.what).toBe('no tombstone');
    },
  );

  test('accepts a tombstone before its attestation, but no other tree version', () => {
    expect(etchFault(etchOf(0, { revocation_attestation_uid: null }), ADA, attested())).toBeNull();
    const { root } = treeOf(1, [leaves[0]!]);
    const other = { revocation_root: root, revocation_tree_version: 1 as const };
    for (const version of [1, 2] as const) {
      const trees = attested(attestation(7, dataOf(root, 1, version, 1)));
      const fault = etchFault(etchOf(0, { ...other, revocation_attestation_uid: uidOf(7) }), ADA, trees);
      expect(fault?.what).toBe(version === 1 ? undefined : 'not attested');
    }
  });

  test('names the hash of a missing etch, and the author of another’s', () => {
    expect(compare([...whole(), etchOf(3)]).faults[0]!.detail).toContain(`its author is ${BEN}`);
    expect(compare(whole().slice(0, 2)).faults).toMatchObject([{ hash: hashes[2], etch_id: null }]);
  });

  test('judges etches without a tree, and roots that a trusted relayer attested twice', () => {
    const single = etchOf(1, NO_TREE);
    expect(etchFault(single, ADA, attested())?.what).toBe('not attested');
    const trees = attested(attestation(66, ofTree), attestation(3, dataOf(hashes[1]!, 0, 0, 1)));
    expect(etchFault(etchOf(2, stranger), ADA, trees), 'attested twice').toBeNull();
    const later = { ...stranger, anchored_at: '2030-01-01T00:00:00.000Z' };
    expect(etchFault(etchOf(2, later), ADA, trees), 'the time of the second').toBeNull();
    expect(etchFault(etchOf(1, { ...NO_TREE, ...stranger }), ADA, trees)?.what).toBe('not attested');
    expect(etchFault(etchOf(1, { ...NO_TREE, attestation_uid: uidOf(3) }), ADA, trees)).toBeNull();
  });

  test('counts etches that are not anchored yet, and takedowns', () => {
    const record = [...whole(), etchOf(1, PENDING, { hash: hashOf(50) })];
    const { faults, counts } = compare(record);
    expect(faults).toEqual([]);
    expect(counts).toMatchObject({ pending: 1, leaves: 3, shown: 3 });
    const unnamed = compare(record, ADA, [hashOf(50)]);
    expect(unnamed.faults).toMatchObject([{ what: 'not anchored', hash: hashOf(50) }]);
    const taken = compare(whole(etchOf(0, {}, down)));
    expect(taken).toMatchObject({ faults: [], counts: { retracted: 0, takenDown: 1 } });
    const { counts: old } = compare(whole(etchOf(1, NO_TREE), etchOf(2, { tree_version: 1 })));
    expect(old).toMatchObject({ single: 1, treeV1: 1 });
  });

  const others = canonicalString({ ...parts, content: 'x' });
  const closed = { content: null, salt: null, created_at: null, canonical_string: null };
  test.each<[Partial<RecordedEtch>, string]>([
    [{ content: 'It will snow.' }, 'its content is not the one in its canonical_string'],
    [{ created_at: '2026-05-06T07:08:09.124Z' }, 'its created_at is not the one in its canonical_string'],
    [{ salt: 'ac'.repeat(32) }, 'its salt is not the one in its canonical_string'],
    [{ content: null }, 'its content is not the one in its canonical_string'],
    [{ canonical_string: null }, 'it shows content without canonical_string, so nothing binds it'],
    [{ canonical_string: null, content: null }, 'it shows salt without canonical_string'],
    [closed, 'its status is revealed, and it has no canonical_string'],
    [{ status: 'sealed' }, 'its status is sealed, and it has a canonical_string'],
    [{ retracted_by: 'operator' }, 'it is marked as taken down, and its status is revealed'],
    [{ canonical_string: others }, 'its words do not make its hash'],
  ])('reports words that the canonical string does not bind: %o', (more, detail) => {
    expect(compare(whole(open(more))).faults).toMatchObject([
      { what: 'altered', detail: expect.stringContaining(detail) },
    ]);
  });

  test('reads the parts that the canonical string binds', () => {
    expect(compare(whole(open())).faults).toEqual([]);
    expect(boundParts(open({ content: 'It will snow.' }))).toEqual(parts);
    for (const more of [
      { canonical_string: others },
      { canonical_string: '\ud800' },
      { author: { user_id: BEN } },
    ])
      expect(boundParts(open(more))).toBeNull();
  });

  test('notes an instant etch shown as sealed, and a retraction without a tombstone', () => {
    const unmarked = etchOf(2, { revocation_status: 'pending' }, retracted);
    expect(compare(whole(etchOf(1, {}, { mode: 'instant' }), unmarked))).toMatchObject({
      faults: [],
      notices: [
        { what: 'sealed although instant', etch_id: 'etch 1', hash: hashes[1] },
        { what: 'retracted without a tombstone', etch_id: 'etch 2', hash: hashes[2] },
      ],
    });
  });

  test.each<[number, string, string, (string | undefined)?, string?]>([
    [0, 'sealed', 'none'],
    [9, 'sealed', 'none', 'not retracted'],
    [9, 'retracted', 'revoked'],
    [0, 'retracted', 'pending'],
    [0, 'retracted', 'revoked', 'not attested'],
    [9, 'retracted', 'revoked', undefined, 'operator'],
    [0, 'retracted', 'pending', 'no tombstone', 'operator'],
  ])('an etch without a tree, revoked at %i, is %s, %s', (revokedAt, status, revocation_status, what, by) => {
    const trees = treesOf(attestation(1, dataOf(hashes[1]!, 0, 0, 1), revokedAt));
    const etch = etchOf(1, { ...NO_TREE, revocation_status }, { status, retracted_by: by });
    expect(etchFault(etch, ADA, trees)?.what).toBe(what);
  });
});
