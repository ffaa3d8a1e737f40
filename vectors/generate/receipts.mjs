import { attestationData, canonical, keyPair, seeded, word } from './rules.mjs';
import { scenario, TRUST } from './scenario.mjs';

const expect = (overall, words, batch, chain) => ({ overall, words, batch, chain });
const PASS = expect('pass', 'match', 'included', 'attested');

const VALID = {
  'receipt-instant': [PASS, 'an etch that is public at once', { size: 8 }],
  'receipt-signed': [PASS, 'with the author’s signature', { signed: true }],
  'receipt-tree-v1': [PASS, 'tree version 1', { scheme: 1 }],
  'receipt-tree-of-one': [PASS, 'the leaf is the root', { size: 1 }],
  'receipt-not-ascii': [PASS, 'hashed as UTF-8', { content: 'naïve 🙂 שלום\r\n| pipe\ttab ' }],
  'receipt-control-characters': [PASS, 'ESC and bidirectional controls', { content: '\u001b[2J\u202eabc' }],
  'receipt-at-ten-minutes': [PASS, 'exactly within ten minutes', { attested: 600 }],
  'receipt-at-exactly-ten-minutes': [PASS, 'not a millisecond more', { attested: 600, milliseconds: 0 }],
  'receipt-in-the-same-second': [PASS, 'created_at is cut to its second', { attested: 0 }],
  'receipt-without-anchored-at': [
    PASS,
    'the chain alone says when',
    { change: (r) => (r.chain.anchored_at = null) },
  ],
  'receipt-late': [expect('pass', 'match', 'included', 'late'), 'a second too late', { attested: 601 }],
  'receipt-sealed': [expect('pass', 'sealed', 'included', 'attested'), 'still sealed', { status: 'sealed' }],
  'receipt-pending': [expect('wait', 'match', 'pending', 'pending'), 'not attested yet', { attested: null }],
  'receipt-sealed-and-pending': [
    expect('wait', 'sealed', 'pending', 'pending'),
    'sealed, not attested yet',
    { attested: null, status: 'sealed' },
  ],
  'receipt-retracted': [
    expect('pass', 'erased', 'included', 'revoked'),
    'tombstone attested',
    { status: 'retracted', retraction: 'anchored' },
  ],
  'receipt-retracted-tree-v1': [
    expect('pass', 'erased', 'included', 'revoked'),
    'tombstone attested, tree version 1',
    { scheme: 1, status: 'retracted', retraction: 'anchored' },
  ],
  'receipt-retraction-pending': [
    expect('wait', 'erased', 'included', 'pending'),
    'tombstone not attested yet',
    { status: 'retracted' },
  ],
  'receipt-retracted-before-anchoring': [
    expect('wait', 'erased', 'pending', 'pending'),
    'neither attested yet',
    { status: 'retracted', attested: null },
  ],
  'receipt-single': [
    expect('pass', 'match', 'direct', 'attested'),
    'an attestation of its own',
    { scheme: 0 },
  ],
  'receipt-single-late': [
    expect('pass', 'match', 'direct', 'late'),
    'its own, late',
    { scheme: 0, attested: 9_999 },
  ],
  'receipt-single-retracted': [
    expect('pass', 'erased', 'direct', 'revoked'),
    'its own attestation is revoked',
    { scheme: 0, status: 'retracted', retraction: 'anchored' },
  ],
  'receipt-single-retraction-pending': [
    expect('wait', 'erased', 'direct', 'pending'),
    'its own attestation is not revoked yet',
    { scheme: 0, status: 'retracted' },
  ],
  'receipt-single-retracted-without-naming-it': [
    expect('pass', 'erased', 'direct', 'revoked'),
    'its own attestation is revoked, whether or not the revocation names it',
    {
      scheme: 0,
      status: 'retracted',
      retraction: 'anchored',
      change: ({ revocation: v }) => Object.assign(v, { attestation_uid: null, tx_hash: null }),
    },
  ],
  'receipt-retracted-without-a-revocation': [
    expect('wait', 'erased', 'included', 'pending'),
    'retracted, and nothing says where that is recorded',
    { status: 'retracted', change: (r) => (r.revocation = null) },
  ],
  'receipt-addresses-in-mixed-case': [
    PASS,
    'addresses alone may have letters of either case',
    {
      change: ({ chain: c }) =>
        Object.assign(c, {
          relayer: mixed(c.relayer),
          attestation_contract: mixed(c.attestation_contract),
        }),
    },
  ],
  'receipt-single-kept-from-before-retraction': [
    expect('pass', 'match', 'direct', 'revoked'),
    'the words are still at hand, the chain tells of the retraction',
    { scheme: 0, change: (_, { commitment }) => (commitment.revocation_time = commitment.time + 90) },
  ],
  'receipt-unknown-to-the-endpoint': [
    expect('wait', 'match', 'included', 'pending'),
    'the endpoint answers zeros: it may lag',
    { unknown: true },
  ],
  'receipt-endpoint-of-another-chain': [
    expect('wait', 'match', 'included', 'unreachable'),
    'the endpoint is of chain 1',
    { chainId: 1 },
  ],
  'receipt-endpoint-answers-for-another-uid': [
    expect('wait', 'match', 'included', 'unreachable'),
    'the endpoint answers with another attestation than the one asked for',
    { change: (_, { commitment: c }) => Object.assign(c, { asked: c.uid, uid: `0x${'5e'.repeat(32)}` }) },
  ],
  'receipt-endpoint-answers-for-another-uid-by-another': [
    expect('wait', 'match', 'included', 'unreachable'),
    'an answer for another uid is not compared with anything: its other schema and attester do not count',
    {
      change: (_, { commitment: c }) =>
        Object.assign(c, {
          asked: c.uid,
          uid: `0x${'5e'.repeat(32)}`,
          schema: `0x${'5f'.repeat(32)}`,
          attester: `0x${'5f'.repeat(20)}`,
        }),
    },
  ],
};

const mixed = (address) =>
  address.replaceAll(/[a-f]/g, (letter, at) => (at % 2 ? letter.toUpperCase() : letter));
const flipHex = (hex) => (hex[0] === '0' ? '1' : '0') + hex.slice(1);
const FAILS = {
  words: expect('fail', 'mismatch', 'included', 'attested'),
  batch: expect('fail', 'match', 'excluded', 'attested'),
  chain: expect('fail', 'match', 'included', 'mismatch'),
  tombstone: expect('fail', 'erased', 'included', 'mismatch'),
};
const data = (receipt, changes) => `0x${attestationData({ ...receipt.inclusion, kind: 0, ...changes })}`;
const other = `0x${seeded('other').toString('hex')}`;
const retracted = (change) => ({ status: 'retracted', retraction: 'anchored', change });

const INVALID = {
  'receipt-content-changed': [FAILS.words, { change: (r) => (r.canonical_string += '!') }],
  'receipt-salt-changed': [
    FAILS.words,
    { change: (r, _, e) => (r.canonical_string = canonical({ ...e, salt: flipHex(e.salt) })) },
  ],
  'receipt-created-at-changed': [
    FAILS.words,
    { change: (r) => (r.canonical_string = r.canonical_string.replace('.123Z', '.124Z')) },
  ],
  'receipt-canonical-string-of-no-form': [
    FAILS.words,
    { change: (r) => (r.canonical_string = 'It will rain.') },
  ],
  'receipt-of-another-author': [
    expect('fail', 'mismatch', 'excluded', 'attested'),
    { change: (r) => (r.author.user_id = seededOther) },
  ],
  'receipt-author-changed-tree-v1': [
    FAILS.words,
    { scheme: 1, change: (r) => (r.author.user_id = seededOther) },
  ],
  'receipt-hash-changed': [
    expect('fail', 'mismatch', 'excluded', 'attested'),
    { change: (r) => (r.hash = flipHex(r.hash)) },
  ],
  'receipt-signature-of-other-words': [
    FAILS.words,
    { signed: true, change: (r) => (r.signature.value = keyPair('x').sign('other words')) },
  ],
  'receipt-signature-key-changed': [
    FAILS.words,
    { signed: true, change: (r) => (r.signature.public_key = keyPair('x').public_key) },
  ],
  'receipt-proof-changed': [
    FAILS.batch,
    { size: 8, change: ({ inclusion: i }) => (i.proof[1] = flipHex(i.proof[1])) },
  ],
  'receipt-proof-out-of-order': [FAILS.batch, { size: 8, change: (r) => r.inclusion.proof.reverse() }],
  'receipt-proof-cut': [FAILS.batch, { size: 8, change: (r) => r.inclusion.proof.pop() }],
  'receipt-proof-lengthened': [FAILS.batch, { size: 8, change: (r) => r.inclusion.proof.push(r.hash) }],
  'receipt-attested-size-below-its-proof': [
    FAILS.batch,
    {
      size: 8,
      change: (r, { commitment: c }) => (c.data = data(r, { tree_size: (r.inclusion.tree_size = 4) })),
    },
  ],
  'receipt-attested-size-above-an-empty-proof': [
    FAILS.batch,
    {
      size: 1,
      change: (r, { commitment: c }) => (c.data = data(r, { tree_size: (r.inclusion.tree_size = 2) })),
    },
  ],
  'receipt-root-changed': [
    expect('fail', 'match', 'excluded', 'mismatch'),
    {
      change: (r) => {
        r.inclusion.root = flipHex(r.inclusion.root);
        r.chain.expect_onchain = r.inclusion.root;
      },
    },
  ],
  'receipt-expects-another-root': [
    FAILS.chain,
    { change: (r) => (r.chain.expect_onchain = flipHex(r.chain.expect_onchain)) },
  ],
  'receipt-claims-tree-version-1': [
    expect('fail', 'match', 'excluded', 'mismatch'),
    { change: (r) => (r.inclusion.tree_version = 1) },
  ],
  'receipt-attested-tree-version-differs': [
    FAILS.chain,
    { change: (r, { commitment: c }) => (c.data = data(r, { tree_version: 1 })) },
  ],
  'receipt-claims-another-tree-size': [FAILS.chain, { change: (r) => (r.inclusion.tree_size += 1) }],
  'receipt-attested-root-differs': [
    FAILS.chain,
    { change: (r, { commitment: c }) => (c.data = data(r, { root: other.slice(2) })) },
  ],
  'receipt-attested-kind-is-retraction': [
    FAILS.chain,
    { change: (r, { commitment: c }) => (c.data = data(r, { kind: 1 })) },
  ],
  'receipt-attested-data-of-no-form': [
    FAILS.chain,
    { change: (r, { commitment: c }) => (c.data = `0x${r.inclusion.root}${word(2)}`) },
  ],
  'receipt-attested-by-another': [
    FAILS.chain,
    { change: (_, { commitment: c }) => (c.attester = other.slice(0, 42)) },
  ],
  'receipt-attested-under-another-schema': [
    FAILS.chain,
    { change: (_, { commitment: c }) => (c.schema = other) },
  ],
  'receipt-attested-before-created-at': [FAILS.chain, { attested: -1 }],
  'receipt-anchored-at-changed': [
    FAILS.chain,
    { change: (r) => (r.chain.anchored_at = r.chain.anchored_at.replace('21.000Z', '22.000Z')) },
  ],
  'receipt-tree-attestation-revoked': [
    FAILS.chain,
    { change: (_, { commitment: c }) => (c.revocation_time = c.time + 5) },
  ],
  'receipt-names-another-chain': [FAILS.chain, { change: (r) => (r.chain.chain_id = 1) }],
  'receipt-names-another-contract': [
    FAILS.chain,
    { change: (r) => (r.chain.attestation_contract = other.slice(0, 42)) },
  ],
  'receipt-names-another-schema': [FAILS.chain, { change: (r) => (r.chain.schema_uid = other) }],
  'receipt-names-another-relayer': [FAILS.chain, { change: (r) => (r.chain.relayer = other.slice(0, 42)) }],
  'receipt-inclusion-cut-away': [
    expect('fail', 'match', 'direct', 'mismatch'),
    { change: (r) => (r.inclusion = null) },
  ],
  'receipt-single-attests-another-hash': [
    expect('fail', 'match', 'direct', 'mismatch'),
    {
      scheme: 0,
      change: (r, { commitment: c }) =>
        (c.data = `0x${attestationData({ root: other.slice(2), kind: 0, tree_version: 0, tree_size: 1 })}`),
    },
  ],
  'receipt-tombstone-of-kind-0': [
    FAILS.tombstone,
    retracted((r, { tombstone: t }) => (t.data = `0x${attestationData({ ...r.revocation, kind: 0 })}`)),
  ],
  'receipt-tombstone-by-another': [
    FAILS.tombstone,
    retracted((_, { tombstone: t }) => (t.attester = other.slice(0, 42))),
  ],
  'receipt-tombstone-root-differs': [
    FAILS.tombstone,
    retracted(
      (r, { tombstone: t }) => (t.data = `0x${attestationData({ ...r.revocation, root: other.slice(2) })}`),
    ),
  ],
  'receipt-tombstone-does-not-fold': [
    FAILS.tombstone,
    retracted(({ revocation: v }) => (v.proof[0] = flipHex(v.proof[0]))),
  ],
  'receipt-tombstone-size-below-its-proof': [
    FAILS.tombstone,
    retracted(
      ({ revocation: v }, { tombstone: t }) =>
        (t.data = `0x${attestationData({ ...v, tree_size: (v.tree_size = 1) })}`),
    ),
  ],
  'receipt-tombstone-revoked': [
    FAILS.tombstone,
    retracted((_, { tombstone: t }) => (t.revocation_time = t.time + 5)),
  ],
  'receipt-commitment-offered-as-tombstone': [
    FAILS.tombstone,
    retracted((r) => {
      const { root, proof, tree_size, tree_version } = r.inclusion;
      Object.assign(r.revocation, {
        root,
        proof,
        tree_size,
        tree_version,
        attestation_uid: r.chain.attestation_uid,
      });
    }),
  ],
  'receipt-tombstone-missing-in-a-tree': [
    FAILS.tombstone,
    retracted((r) => {
      const { retracted_at, tx_hash } = r.revocation;
      r.revocation = { retracted_at, attestation_uid: r.chain.attestation_uid, tx_hash, kind: null };
    }),
  ],
  'receipt-single-revoked-attestation-is-another': [
    expect('fail', 'erased', 'direct', 'mismatch'),
    { ...retracted((r) => (r.revocation.attestation_uid = other)), scheme: 0 },
  ],
  'receipt-single-with-a-tombstone': [expect('fail', 'erased', 'direct', 'mismatch'), retracted(withoutTree)],
  'receipt-single-with-a-pending-tombstone': [
    expect('fail', 'erased', 'direct', 'mismatch'),
    { status: 'retracted', change: withoutTree },
  ],
  'receipt-proof-cut-and-endpoint-of-another-chain': [
    expect('fail', 'match', 'excluded', 'unreachable'),
    { size: 8, chainId: 1, change: (r) => r.inclusion.proof.pop() },
  ],
  'receipt-names-another-relayer-and-unknown-to-the-endpoint': [
    expect('fail', 'match', 'included', 'mismatch'),
    { unknown: true, change: (r) => (r.chain.relayer = other.slice(0, 42)) },
  ],
  'receipt-tombstone-does-not-fold-and-unknown-to-the-endpoint': [
    FAILS.tombstone,
    { ...retracted(({ revocation: v }) => (v.proof[0] = flipHex(v.proof[0]))), unknown: true },
  ],
};

function withoutTree(receipt, { commitment }, { hash }) {
  receipt.inclusion = null;
  receipt.chain.expect_onchain = hash;
  commitment.data = `0x${attestationData({ root: hash, kind: 0, tree_version: 0, tree_size: 1 })}`;
}
const seededOther = '11111111-2222-4333-8444-555555555555';

function retractedTo(receipt, changes) {
  const nothing = {
    root: null,
    proof: null,
    tree_size: null,
    tree_version: null,
    attestation_uid: null,
    tx_hash: null,
  };
  const revocation = { retracted_at: receipt.chain.anchored_at, ...nothing, kind: 1, ...changes };
  Object.assign(receipt, { status: 'retracted', canonical_string: null, signature: null, revocation });
}

/** [field at fault, change] */
const REFUSED = {
  'refused-format': ['_format', (r) => (r._format = 'svc-receipt:v2')],
  'refused-hash-in-upper-case': ['hash', (r) => (r.hash = r.hash.toUpperCase())],
  'refused-hash-too-short': ['hash', (r) => (r.hash = r.hash.slice(2))],
  'refused-hash-not-hex': ['hash', (r) => (r.hash = `${r.hash.slice(0, 60)}zz12`)],
  'refused-hash-missing': ['hash', (r) => delete r.hash],
  'refused-status-unknown': ['status', (r) => (r.status = 'deleted')],
  'refused-author-missing': ['author', (r) => (r.author = null)],
  'refused-user-id-in-upper-case': [
    'author.user_id',
    (r) => (r.author.user_id = r.author.user_id.toUpperCase()),
  ],
  'refused-words-missing': ['canonical_string', (r) => (r.canonical_string = null)],
  'refused-words-while-sealed': ['canonical_string', (r) => (r.status = 'sealed')],
  'refused-revocation-though-revealed': [
    'revocation',
    (r) =>
      (r.revocation = {
        retracted_at: r.chain.anchored_at,
        attestation_uid: null,
        tx_hash: null,
        kind: null,
      }),
  ],
  'refused-proof-too-long': ['inclusion.proof', (r) => (r.inclusion.proof = Array(15).fill(r.hash))],
  'refused-proof-hash-with-prefix': ['inclusion.proof[0]', (r) => (r.inclusion.proof[0] = `0x${r.hash}`)],
  'refused-proof-not-a-list': ['inclusion.proof', (r) => (r.inclusion.proof = { 0: r.hash })],
  'refused-tree-version-3': ['inclusion.tree_version', (r) => (r.inclusion.tree_version = 3)],
  'refused-tree-version-as-text': ['inclusion.tree_version', (r) => (r.inclusion.tree_version = '2')],
  'refused-tree-size-10001': ['inclusion.tree_size', (r) => (r.inclusion.tree_size = 10_001)],
  'refused-tree-size-0': ['inclusion.tree_size', (r) => (r.inclusion.tree_size = 0)],
  'refused-inclusion-while-pending': [
    'inclusion',
    (r) =>
      Object.assign(r.chain, {
        attestation_uid: null,
        expect_onchain: null,
        tx_hash: null,
        anchored_at: null,
      }),
  ],
  'refused-uid-without-prefix': ['chain.attestation_uid', (r) => (r.chain.attestation_uid = r.hash)],
  'refused-address-with-capital-prefix': [
    'chain.relayer',
    (r) => (r.chain.relayer = r.chain.relayer.replace('0x', '0X')),
  ],
  'refused-schema-in-upper-case': [
    'chain.schema_uid',
    (r) => (r.chain.schema_uid = `0x${r.chain.schema_uid.slice(2).toUpperCase()}`),
  ],
  'refused-expected-root-missing': ['chain.expect_onchain', (r) => (r.chain.expect_onchain = null)],
  'refused-time-that-is-no-date': [
    'chain.anchored_at',
    (r) => (r.chain.anchored_at = '2026-02-30T07:08:21.000Z'),
  ],
  'refused-time-of-a-leap-second': [
    'chain.anchored_at',
    (r) => (r.chain.anchored_at = '2026-06-30T23:59:60.000Z'),
  ],
  'refused-retraction-pending-with-a-root': ['revocation.root', (r) => retractedTo(r, { root: r.hash })],
  'refused-retraction-pending-with-a-transaction': [
    'revocation.tx_hash',
    (r) => retractedTo(r, { tx_hash: r.chain.tx_hash }),
  ],
  'refused-tombstone-without-proof': [
    'revocation.proof',
    (r) =>
      retractedTo(r, {
        root: r.hash,
        tree_size: 1,
        tree_version: 2,
        attestation_uid: r.chain.attestation_uid,
      }),
  ],
  'refused-chain-id-0': ['chain.chain_id', (r) => (r.chain.chain_id = 0)],
  'refused-relayer-too-long': ['chain.relayer', (r) => (r.chain.relayer += '00')],
  'refused-time-without-milliseconds': [
    'chain.anchored_at',
    (r) => (r.chain.anchored_at = '2026-05-06T07:08:21Z'),
  ],
  'refused-former-no-list': ['former', (r) => (r.former = { ...r.chain })],
  'refused-former-null': ['former', (r) => (r.former = null)],
  'refused-former-entry-null': ['former[0]', (r) => (r.former = [null])],
  'refused-former-chain-id-0': [
    'former[1].chain_id',
    (r) => (r.former = [r.chain, { ...r.chain, chain_id: 0 }]),
  ],
  'refused-former-relayer-missing': [
    'former[0].relayer',
    (r) => (r.former = [{ ...r.chain, relayer: undefined }]),
  ],
  'refused-former-time-without-milliseconds': [
    'former[0].anchored_at',
    (r) => (r.former = [{ ...r.chain, anchored_at: '2026-05-06T07:08:21Z' }]),
  ],
  'refused-signature-too-short': [
    'signature.value',
    (r) => (r.signature = { value: '00'.repeat(63), public_key: r.hash }),
  ],
};

function* bySize() {
  for (const scheme of [1, 2])
    for (const size of [...Array.from({ length: 33 }, (_, i) => i + 1), 9_999, 10_000]) {
      const name = `tree v${scheme} of ${size}`;
      const retractedToo = size % 3 === 0 ? { status: 'retracted', retraction: 'anchored' } : {};
      const found = size % 3 === 0 ? expect('pass', 'erased', 'included', 'revoked') : PASS;
      yield {
        about: name,
        ...scenario(name, { scheme, size, content: `one of ${size}`, ...retractedToo }),
        expect: found,
      };
    }
}

export function* receiptVectors() {
  for (const [name, [found, about, options]] of Object.entries(VALID))
    yield [`valid/${name}`, { about, ...scenario(name, options), expect: found }];
  yield [
    'valid/receipts-by-tree-size',
    { about: 'one leaf of trees of every small and the largest sizes', cases: [...bySize()] },
  ];
  for (const [name, [found, options]] of Object.entries(INVALID))
    yield [
      `invalid/${name}`,
      { about: name.slice(8).replaceAll('-', ' '), ...scenario(name, options), expect: found },
    ];
  for (const [name, [field, change]] of Object.entries(REFUSED)) {
    const { receipt } = scenario(name, { size: 2, change });
    yield [`invalid/${name}`, { about: 'malformed', field, receipt, trust: TRUST }];
  }
}
