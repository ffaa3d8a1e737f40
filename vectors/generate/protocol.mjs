import { littleEndian, ORDER, toLittleEndian } from './ed25519.mjs';
import { oddAndInvalid, oddButValid } from './odd-signatures.mjs';
import { promiseVectors } from './promises.mjs';
import {
  attestationData,
  canonical,
  etchHash,
  keyPair,
  leaf,
  seeded,
  seededUuid,
  sha256,
  tree,
  word,
} from './rules.mjs';

const CONTENTS = {
  plain: 'The bridge will open before the first of May.',
  empty: '',
  'one space': ' ',
  'pipes like the canonical string': 'svc:v1|a|b|c|d',
  'line ends of three kinds': 'a\nb\r\nc\rd',
  'precomposed and combining': 'é é',
  'beyond the basic plane': '𝄞😀👩‍🚀🇺🇳',
  'byte order mark inside': 'a\ufeffb',
  'bidirectional controls': 'abc \u202e def \u2066 ghi',
  'escape character': '\u001b[31mred',
  'json in text': '{"content":"\\u0000"}',
  'two thousand emoji': '🙂'.repeat(2000),
};

/** `hash` of leaf i is the SHA-256 of `<name> <i>`. */
function treeVector(version, size, shown) {
  const name = `tree v${version} n${size}`;
  const leaves = Array.from({ length: size }, (_, i) => ({
    user_id: seededUuid(`${name} ${i % 7}`),
    hash: seeded(`${name} ${i}`).toString('hex'),
  }));
  const values = leaves.map((l) => leaf(version, l.user_id, l.hash));
  const { root, proofs } = tree(values);
  const all = sha256(...leaves.map((_, i) => sha256(proofs[i].join('')))).toString('hex');
  return {
    name,
    tree_version: version,
    tree_size: size,
    root,
    sha256_of_all_proofs: all,
    leaves: shown.map((i) => ({ index: i, ...leaves[i], leaf: values[i].toString('hex'), proof: proofs[i] })),
  };
}

function* treeVectors() {
  for (const version of [1, 2]) {
    for (let size = 1; size <= 33; size++)
      yield treeVector(version, size, [...new Set([0, size >> 1, size - 1])]);
    for (const size of [9_999, 10_000]) yield treeVector(version, size, [0, 1, 4_999, 9_997, size - 1]);
  }
}

function packedLeaves() {
  const trees = [1, 2].flatMap((version) =>
    [1, 2, 3, 7].map((size) => {
      const name = `packed v${version} n${size}`;
      const leaves = Array.from({ length: size }, (_, i) => ({
        user_id: seededUuid(`${name} ${i % 3}`),
        hash: seeded(`${name} ${i}`).toString('hex'),
      }));
      const parts = leaves.map(({ user_id: author, hash }) => ({
        value: leaf(version, author, hash).toString('hex'),
        bytes: version === 2 ? author.replaceAll('-', '') + hash : hash,
      }));
      parts.sort((a, b) => (a.value < b.value ? -1 : 1));
      return {
        name,
        tree_version: version,
        tree_size: size,
        root: tree(leaves.map((l) => leaf(version, l.user_id, l.hash))).root,
        leaves: version === 2 ? leaves : leaves.map(({ hash }) => ({ hash })),
        packed: parts.map(({ bytes }) => bytes).join(''),
      };
    }),
  );
  return { about: "a tree's leaves as JSON lists them, and as application/vnd.svc.leaves, in hex", trees };
}

function signatureVectors() {
  const author = keyPair('author');
  const user = seededUuid('author');
  const at = '2026-03-01T12:00:00.000Z';
  const strings = {
    etch: `svc-sig:v1|${user}|${sha256('a signed text').toString('hex')}`,
    register: `svc-register:v1|${author.public_key}|${at}`,
    operator: `svc-operator:v1|${user}|${at}`,
    key: `svc-key:v1|${author.public_key}|${at}`,
  };
  return {
    about: 'What is signed, and the Ed25519 signature over its UTF-8 bytes.',
    user_id: user,
    content: 'a signed text',
    issued_at: at,
    public_key: author.public_key,
    signed: Object.entries(strings).map(([name, text]) => ({ name, text, signature: author.sign(text) })),
  };
}

/** Points of small order, and encodings of y not below the prime. */
const BAD_KEYS = {
  'small-order-public-key': [
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  ],
  'public-key-not-canonical': [
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ],
  'public-key-not-on-the-curve': ['0200000000000000000000000000000000000000000000000000000000000000'],
  'public-key-malformed': [
    '',
    '00',
    'zz'.repeat(32),
    `${'ab'.repeat(31)}a`,
    `0x${'ab'.repeat(32)}`,
    'ab'.repeat(33),
  ],
};

function badSignatures() {
  const author = keyPair('author');
  const text = 'svc-register:v1|x|y';
  const good = author.sign(text);
  const [r, s] = [good.slice(0, 64), good.slice(64)];
  const at = (public_key, message, signature) => ({ public_key, message, signature });
  const identity = BAD_KEYS['small-order-public-key'][0];
  return {
    'signature-high-s': at(author.public_key, text, r + toLittleEndian(littleEndian(s) + ORDER)),
    'signature-of-another-message': at(author.public_key, `${text} `, good),
    'signature-of-another-key': at(keyPair('other').public_key, text, good),
    'signature-under-a-small-order-key': at(identity, text, identity + '00'.repeat(32)),
    'signature-r-not-canonical': at(author.public_key, text, BAD_KEYS['public-key-not-canonical'][1] + s),
    'signature-too-short': at(author.public_key, text, good.slice(2)),
    'signature-not-hex': at(author.public_key, text, `${good.slice(0, 126)}zz`),
    ...oddAndInvalid(),
  };
}

function badAttestationData() {
  const root = seeded('root').toString('hex');
  const data = (kind, version, size) =>
    attestationData({ root, kind, tree_version: version, tree_size: size });
  const good = data(0, 2, 7);
  return {
    'attestation-data-kind-2': data(2, 2, 7),
    'attestation-data-tree-version-3': data(0, 3, 7),
    'attestation-data-tree-size-0': data(0, 2, 0),
    'attestation-data-tree-size-10001': data(0, 2, 10_001),
    'attestation-data-no-tree-but-two-leaves': data(0, 0, 2),
    'attestation-data-kind-over-one-byte': `${root}${word(256)}${good.slice(128)}`,
    'attestation-data-tree-size-over-four-bytes': `${good.slice(0, 192)}${word(2n ** 32n + 7n)}`,
    'attestation-data-too-short': good.slice(0, -2),
    'attestation-data-too-long': `${good}00`,
    'attestation-data-empty': '',
  };
}

export function* protocolVectors() {
  const etches = Object.entries(CONTENTS).map(([name, content], i) => {
    const etch = {
      user_id: seededUuid(`author ${i}`),
      created_at: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678) + i * 86_399_001).toISOString(),
      salt: seeded(`salt ${i}`).toString('hex'),
      content,
    };
    return { name, ...etch, canonical_string: canonical(etch), hash: etchHash(etch) };
  });
  yield ['valid/hashes', { about: 'canonical string and hash', etches }];
  yield ['valid/trees', { about: 'roots, and the proofs of some leaves', trees: [...treeVectors()] }];
  yield ['valid/packed-leaves', packedLeaves()];
  yield ['valid/signatures', signatureVectors()];
  yield [
    'valid/signatures-odd',
    {
      about:
        'Signatures that no honest signer makes, and that verify: keys and R with a part of small order.',
      signed: Object.entries(oddButValid()).map(([name, signed]) => ({ name, ...signed })),
    },
  ];
  const root = seeded('root').toString('hex');
  const fields = [0, 1].flatMap((kind) =>
    [
      [0, 1],
      [1, 1],
      [1, 10_000],
      [2, 2],
      [2, 256],
    ].map(([tree_version, tree_size]) => ({ root, kind, tree_version, tree_size })),
  );
  yield [
    'valid/attestation-data',
    {
      about: 'attestation data, ABI-encoded',
      attestations: fields.map((f) => ({ ...f, data: attestationData(f) })),
    },
  ];
  yield* promiseVectors();
  for (const [fault, keys] of Object.entries(BAD_KEYS))
    yield [`invalid/${fault}`, { about: 'public keys to refuse', public_keys: keys }];
  for (const [fault, signature] of Object.entries(badSignatures()))
    yield [`invalid/${fault}`, { about: 'does not verify', ...signature }];
  for (const [fault, data] of Object.entries(badAttestationData()))
    yield [`invalid/${fault}`, { about: 'attestation data to refuse', data }];
}
