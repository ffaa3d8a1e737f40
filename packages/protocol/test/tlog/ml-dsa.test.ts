import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { expect, test } from 'vitest';
import { seeded } from '../../../../testing/seeded.ts';
import { rounds } from '../../../../testing/rounds.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';
import {
  checkTlogProof,
  encodeBase64,
  ML_DSA_KEY,
  parseCheckpoint,
  parsePolicy,
  parseTlogProof,
  parseVerifierKey,
  TlogError,
  verifierKey,
  writeVerifierKey,
} from '../../src/tlog/index.ts';

const {
  etch: named,
  policy,
  proof,
} = readVector('valid/tlog') as { etch: { hash: string; user_id: string }; policy: string; proof: string };
const etch = { hash: named.hash, userId: named.user_id, kind: 0 as const };
const { secretKey, publicKey } = ml_dsa44.keygen(Buffer.alloc(32, 7));
const NAME = 'pq.example/w';
const vkey = writeVerifierKey(NAME, ML_DSA_KEY, publicKey);
const TIME = 1_800_000_030;
const { origin, size, root } = parseCheckpoint(parseTlogProof(proof).checkpoint);

const number = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
const sized = (text: string) => Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);

/** Written from the text of the specification. */
function cosignature(changes: { name?: string; time?: number; start?: number; size?: number } = {}): string {
  const said = { name: NAME, time: TIME, start: 0, size, ...changes };
  const message = Buffer.concat([
    Buffer.from('subtree/v1\n\0'),
    sized(said.name),
    number(said.time),
    sized(origin),
    number(said.start),
    number(said.size),
    root,
  ]);
  const signature = ml_dsa44.sign(message, secretKey);
  const id = Buffer.from(verifierKey(NAME, ML_DSA_KEY, publicKey).id, 'hex');
  return `\u2014 ${NAME} ${encodeBase64(Buffer.concat([id, number(said.time), signature]))}\n`;
}
const quorumOf = (name: string) =>
  parsePolicy(`${policy.replace('quorum both\n', '')}witness pq ${vkey}\nquorum ${name}\n`);
const check = (line: string, now = TIME) => checkTlogProof(proof + line, etch, quorumOf('pq'), now);

test('reads a key of type 6 and no other length', () => {
  expect(parseVerifierKey(vkey)).toMatchObject({ name: NAME, type: 6 });
  expect(() => parseVerifierKey(writeVerifierKey(NAME, 6, publicKey.slice(1)))).toThrow(TlogError);
  expect(() => parsePolicy(`log ${vkey}\nquorum none\n`)).toThrow('not that of a log');
});

test('counts an ML-DSA-44 cosignature in the quorum by its time', () => {
  expect(check(cosignature())).toMatchObject({ time: TIME, witnesses: ['one', 'pq'] });
  const { witnesses } = checkTlogProof(proof + cosignature(), etch, quorumOf('both'), 2e9);
  expect(witnesses.toSorted()).toEqual(['one', 'pq', 'two']);
  expect(check(cosignature(), TIME - 1)).toMatchObject({ time: null, witnesses: ['one'] });
});

test('a cosignature without a time counts as none', () => {
  expect(check(cosignature({ time: 0 }))).toMatchObject({ time: null, witnesses: ['one'] });
});

test.each([{ name: 'another.example/w' }, { start: 1 }, { size: size + 1 }])(
  'rejects the cosignature of a different statement: %o',
  (changes) => {
    expect(() => check(cosignature(changes))).toThrow('the cosignature of the witness pq is wrong');
  },
);

test('refuses every changed byte', () => {
  const line = cosignature();
  const whole = Buffer.from(line.split(' ')[2]!.trim(), 'base64');
  const dice = seeded(44);
  for (let round = 0; round < rounds(100, 10_000); round++) {
    const flipped = Buffer.from(whole);
    flipped[4 + dice.below(whole.length - 4)]! ^= 1 + dice.below(255);
    expect(() => check(`\u2014 ${NAME} ${encodeBase64(flipped)}\n`, 2 ** 53)).toThrow(TlogError);
  }
});
