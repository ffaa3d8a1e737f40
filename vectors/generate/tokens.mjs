// Changed copies of OpenSSL's time stamps.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from './rules.mjs';

const kept = (name) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../valid/timestamp-${name}.json`), 'utf8'));
const [CURVE, RSA] = ['curve', 'rsa-between'].map(kept);

/** Changes the last digit of the signed time. */
const withAnotherTime = (token) =>
  token.replace(/(180f(?:3\d){13}3)(\d)(?=5a)/, (_, start, digit) => start + (digit === '0' ? '1' : '0'));
const lastByte = (token) => token.slice(0, -2) + (token.endsWith('00') ? '01' : '00');

/** [fault, vector with one changed part] */
const INVALID = {
  'of-other-data': ['imprint', { ...CURVE, data: `0x${seeded('other data').toString('hex').repeat(4)}` }],
  'with-a-byte-more': ['malformed', { ...CURVE, token: `${CURVE.token}00` }],
  'cut-by-a-byte': ['malformed', { ...CURVE, token: CURVE.token.slice(0, -2) }],
  empty: ['malformed', { ...CURVE, token: '0x' }],
  'signature-changed': ['signature', { ...RSA, token: lastByte(RSA.token) }],
  'time-changed': ['signature', { ...RSA, token: withAnotherTime(RSA.token) }],
  'under-another-certificate': ['unknown', { ...CURVE, certificates: RSA.certificates }],
};

export function* tokenVectors() {
  for (const [name, [fault, { data, token, certificates }]] of Object.entries(INVALID))
    yield [
      `invalid/timestamp-${name}`,
      { about: name.replaceAll('-', ' '), expect: 'fail', fault, data, token, certificates },
    ];
}
