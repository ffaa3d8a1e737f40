// docs/protocol.md
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyPair, seeded, sha256 } from './rules.mjs';

/** Of the groups of BLS12-381. */
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

function scalar(name) {
  const [sigma, key] = ['sigma', 'file key'].map((part) => seeded(`${part} ${name}`).subarray(0, 16));
  const first = sha256('IBE-H3', sigma, key);
  const digests = [];
  for (let i = 1; ; i++) {
    const digest = sha256(Buffer.of(i & 0xff, i >> 8), first);
    digests.push(digest.toString('hex'));
    digest[0] >>= 1;
    const r = BigInt(`0x${digest.toString('hex')}`);
    if (r > 0n && r < ORDER)
      return {
        sigma: sigma.toString('hex'),
        file_key: key.toString('hex'),
        digests,
        r: digest.toString('hex'),
      };
  }
}

/** The first scalars that need one, two and three digests. */
const scalars = () =>
  [1, 2, 3].map((count) => {
    for (let at = 0; ; at++) {
      const found = scalar(at);
      if (found.digests.length === count) return found;
    }
  });

const openings = JSON.parse(readFileSync(join(import.meta.dirname, '../valid/openings.json'), 'utf8'));
const [{ opening: honest }] = openings.openings;

function signed(changes) {
  const opening = { ...honest, ...changes };
  const { etch_id, hash, chain_hash, round, ciphertext } = opening;
  const sum = sha256(Buffer.from(ciphertext, 'utf8')).toString('hex');
  const text = ['svc-opening:v1', etch_id, hash, chain_hash, round, sum].join('|');
  const key = keyPair('service');
  return { ...opening, public_key: key.public_key, signature: key.sign(text) };
}

const withLines = (change) => honest.ciphertext.split('\n').flatMap(change).join('\n');

/** [verdict with the round's signature and a pinned key, opening] */
const OPENINGS = {
  'opening-armor-without-last-line-end': ['fail', signed({ ciphertext: honest.ciphertext.slice(0, -1) })],
  'opening-armor-with-carriage-returns': [
    'fail',
    signed({ ciphertext: honest.ciphertext.replaceAll('\n', '\r\n') }),
  ],
  'opening-armor-with-an-empty-line': [
    'fail',
    signed({ ciphertext: withLines((line, at) => (at === 1 ? ['', line] : [line])) }),
  ],
  'opening-of-another-hash': ['fail', signed({ hash: seeded('another hash').toString('hex') })],
  'opening-changed-after-signing': ['fail', { ...honest, round: 1_001 }],
  'opening-with-a-field-more': ['refuse', { ...honest, more: 1 }],
  'opening-of-round-0': ['refuse', signed({ round: 0 })],
  'opening-hash-in-upper-case': ['refuse', signed({ hash: honest.hash.toUpperCase() })],
  'opening-without-signature': ['refuse', Object.fromEntries(Object.entries(honest).slice(0, -1))],
};

export function* timelockVectors() {
  yield [
    'valid/timelock-scalars',
    {
      about:
        'sigma and file key, the digests that are made of them in turn, and r: the last digest with its first byte shifted right by one',
      scalars: scalars(),
    },
  ];
  for (const [name, [expect, opening]] of Object.entries(OPENINGS))
    yield [
      `invalid/${name}`,
      {
        about: name.slice(8).replaceAll('-', ' '),
        chain: openings.chain,
        beacon: openings.beacon,
        expect,
        opening,
      },
    ];
}
