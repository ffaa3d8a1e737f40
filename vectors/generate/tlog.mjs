import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

// docs/protocol.md#417-the-log-of-trees

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const base64 = (bytes) => bytes.toString('base64');

export function root(hashes) {
  if (hashes.length === 1) return hashes[0];
  const split = splitOf(hashes.length);
  return sha256(Buffer.of(1), root(hashes.slice(0, split)), root(hashes.slice(split)));
}

const splitOf = (size) => 2 ** Math.floor(Math.log2(size - 1));

/** RFC 6962, section 2.1.1. */
export function path(index, hashes) {
  if (hashes.length === 1) return [];
  const split = splitOf(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return index < split ? [...path(index, left), root(right)] : [...path(index - split, right), root(left)];
}

/** RFC 6962, section 2.1.2. */
function consistency(old, hashes, isWhole = true) {
  if (old === hashes.length) return isWhole ? [] : [root(hashes)];
  const split = splitOf(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return old <= split
    ? [...consistency(old, left, isWhole), root(right)]
    : [...consistency(old - split, right, false), root(left)];
}

export function key(name, type, seed) {
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(seed.padEnd(32, '.')),
  ]);
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = Buffer.from(createPublicKey(secret).export({ format: 'jwk' }).x, 'base64url');
  const id = sha256(Buffer.from(`${name}\n`), Buffer.of(type), publicKey).subarray(0, 4);
  return {
    text: `${name}+${id.toString('hex')}+${base64(Buffer.concat([Buffer.of(type), publicKey]))}`,
    line: (message, prefix = Buffer.alloc(0)) =>
      `\u2014 ${name} ${base64(Buffer.concat([id, prefix, sign(null, Buffer.from(message), secret)]))}`,
  };
}

const ETCH = {
  hash: '89f32e7c77dc8e7e855f559c425636ef7e4d9fb9e6514ae1d73227d67102c49f',
  user_id: 'ae00cff5-55bb-4bd1-ab78-d6c62dc80658',
};
const LOG = key('svc.example/log', 1, 'log');
const WITNESS = key('one.example', 4, 'one');
const TIME = 1_800_000_000;

const eight = (number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
};
const cosign = (text, time) => WITNESS.line(`cosignature/v1\ntime ${time}\n${text}`, eight(time));
const policyOf = (quorum) => `log ${LOG.text}\nwitness one ${WITNESS.text}\nquorum ${quorum}\n`;

/**
 * A log with one entry.
 * @param siblings on the path of the etch
 * @param lines signature lines after the log's own
 */
function proofOf({ siblings = [Buffer.alloc(32, 7)], size = 2, version = 2, lines }) {
  const [hash, user] = [ETCH.hash, ETCH.user_id.replaceAll('-', '')].map((hex) => Buffer.from(hex, 'hex'));
  const leaf = version === 0 ? hash : sha256(Buffer.of(0), user, hash);
  const data = Buffer.concat([
    Buffer.alloc(32),
    ...[0, version, size].map((n) => Buffer.concat([Buffer.alloc(24), eight(n)])),
  ]);
  siblings
    .reduce((node, sibling) => sha256(Buffer.of(1), ...[node, sibling].sort(Buffer.compare)), leaf)
    .copy(data);
  const text = `svc.example/log\n1\n${base64(sha256(Buffer.of(0), data))}\n`;
  return [
    'c2sp.org/tlog-proof@v1',
    `extra ${base64(Buffer.concat([data, ...siblings]))}`,
    'index 0',
    '',
    `${text}\n${[LOG.line(text), ...lines(text)].join('\n')}\n`,
  ].join('\n');
}

/** [verdict, time of the quorum in seconds, or null, proof, quorum] */
const FORMS = {
  'a tree of 2, one hash': ['pass', TIME, {}],
  'a tree of 10,000, no hash': ['fail', null, { size: 10_000, siblings: [] }],
  'a tree of 2, no hash': ['fail', null, { siblings: [] }],
  'a tree of 1, one hash': ['fail', null, { size: 1 }],
  'a tree of 2, two hashes': ['fail', null, { siblings: [Buffer.alloc(32, 7), Buffer.alloc(32, 8)] }],
  'a tree of 3, one hash': ['pass', TIME, { size: 3 }],
  'no tree': ['pass', TIME, { size: 1, version: 0, siblings: [] }],
  'no tree, one hash': ['fail', null, { size: 1, version: 0 }],
  'a cosignature of time 0': ['wait', null, { lines: (text) => [cosign(text, 0)] }],
  'a cosignature of time 2^53': ['wait', null, { lines: (text) => [cosign(text, 2n ** 53n)] }],
  'a cosignature of time 2^64 - 1': ['wait', null, { lines: (text) => [cosign(text, 2n ** 64n - 1n)] }],
  'a cosignature of time 0 next to one that counts': [
    'pass',
    TIME,
    { lines: (text) => [cosign(text, 0), cosign(text, TIME)] },
  ],
  'a cosignature of time 2^53 next to one that counts': [
    'pass',
    TIME,
    { lines: (text) => [cosign(text, 2n ** 53n), cosign(text, TIME)] },
  ],
  'a wrong cosignature of time 0': ['fail', null, { lines: (text) => [cosign(`${text} `, 0)] }],
  'a cosignature of time 0, no quorum': ['pass', 0, { lines: (text) => [cosign(text, 0)] }, 'none'],
  'an unknown signer with U+FEFF in its name': [
    'pass',
    TIME,
    { lines: (text) => [`\u2014 a\ufeffb ${base64(Buffer.alloc(68, 1))}`, cosign(text, TIME)] },
  ],
  'an unknown signer with 300 characters in its name': [
    'pass',
    TIME,
    { lines: (text) => [`\u2014 ${'n'.repeat(300)} ${base64(Buffer.alloc(68, 1))}`, cosign(text, TIME)] },
  ],
  'an unknown signer with U+2003 in its name': [
    'fail',
    null,
    { lines: (text) => [`\u2014 a\u2003b ${base64(Buffer.alloc(68, 1))}`, cosign(text, TIME)] },
  ],
  'an unknown signer with a plus sign in its name': [
    'fail',
    null,
    { lines: (text) => [`\u2014 a+b ${base64(Buffer.alloc(68, 1))}`, cosign(text, TIME)] },
  ],
};

const forms = () => ({
  about:
    'Proofs of one etch: `verdict` of each, and `time`, in seconds since 1970, when its quorum had cosigned.',
  etch: ETCH,
  now: TIME,
  cases: Object.entries(FORMS).map(([name, [verdict, time, parts, quorum = 'one']]) => ({
    name,
    verdict,
    time,
    policy: policyOf(quorum),
    proof: proofOf({ lines: (text) => [cosign(text, TIME)], ...parts }),
  })),
});

export function tlogVectors() {
  const etch = ETCH;
  const id = Buffer.from(etch.user_id.replaceAll('-', ''), 'hex');
  const leaf = sha256(Buffer.of(0), id, Buffer.from(etch.hash, 'hex'));
  const sibling = Buffer.alloc(32, 7);
  const data = Buffer.alloc(128);
  sha256(Buffer.of(1), ...[leaf, sibling].sort(Buffer.compare)).copy(data);
  data[95] = 2;
  data[127] = 2;
  const entries = Array.from({ length: 70 }, (_, at) => (at === 40 ? data : Buffer.of(at)));
  const hashes = entries.map((entry) => sha256(Buffer.of(0), entry));
  const text = `svc.example/log\n70\n${base64(root(hashes))}\n`;
  const log = LOG;
  const witnesses = [
    ['one', 1_800_000_000],
    ['two', 1_800_000_060],
  ].map(([name, time]) => ({ name, time, ...key(`${name}.example`, 4, name) }));
  const cosigned = witnesses.map(({ time, line }) => {
    const prefix = Buffer.alloc(8);
    prefix.writeBigUInt64BE(BigInt(time));
    return line(`cosignature/v1\ntime ${time}\n${text}`, prefix);
  });
  const proof = [
    'c2sp.org/tlog-proof@v1',
    `extra ${base64(Buffer.concat([data, sibling]))}`,
    'index 40',
    ...path(40, hashes).map(base64),
    '',
    `${text}\n${[log.line(text), ...cosigned].join('\n')}\n`,
  ].join('\n');
  const policy = [
    `log ${log.text}`,
    ...witnesses.map(({ name, text: vkey }) => `witness ${name} ${vkey}`),
    'group both all one two',
    'quorum both\n',
  ].join('\n');
  return [
    ['valid/tlog-forms', forms()],
    [
      'valid/tlog',
      {
        etch,
        policy,
        proof,
        time: '2027-01-15T08:01:00.000Z',
        witnesses: ['one', 'two'],
        consistency: {
          old: { size: 40, root: root(hashes.slice(0, 40)).toString('hex') },
          proof: consistency(40, hashes).map((hash) => hash.toString('hex')),
        },
      },
    ],
  ];
}
