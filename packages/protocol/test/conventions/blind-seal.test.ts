import { blindWords, readBlindSeal, readWords, withoutCiphertext } from '@svc/protocol/conventions';
import {
  BeaconError,
  openBlind,
  padBlind,
  parseChainInfo,
  QUICKNET,
  roundTime,
  sealBlind,
  timelockEncrypt,
  TimelockError,
} from '@svc/protocol/timelock';
import { expect, test } from 'vitest';
import { localChain } from '../../../../testing/beacon/chain.mjs';
import { readVector } from '../../../../testing/vectors/vectors.ts';

const { chain: info, beacon, seals, texts } = readVector('valid/blind-seals');
const chain = parseChainInfo(info);
const [first] = seals;

test.each(seals as any[])('reads and opens a seal of $text.length characters', (seal) => {
  const read = readBlindSeal(seal.words, seal.created_at, chain)!;
  expect(read).toMatchObject(seal.read);
  expect(blindWords(read)).toBe(seal.words);
  expect([...seal.words]).toHaveLength(1_895);
  expect(withoutCiphertext(seal.words)).toBe(`svc-tlock:v1|${chain.hash}|1000`);
  expect(openBlind(chain, read, beacon.signature)).toBe(seal.text);
});

test.each(texts as any[])('reads $name as a text', ({ words, created_at }) => {
  expect(readBlindSeal(words, created_at, chain)).toBeUndefined();
  expect(readWords(words)).toEqual({ kind: 'text', reason: null });
});

test('reads no blind seal without content or without a pinned chain', () => {
  const { words, created_at } = first;
  expect(readBlindSeal(null, created_at, chain)).toBeUndefined();
  expect(readBlindSeal(words, null, chain)).toBeUndefined();
  expect(readBlindSeal(words, created_at, undefined)).toBeUndefined();
  const other = parseChainInfo(localChain({ genesis: chain.genesis, period: 3 }).info);
  expect(readBlindSeal(words, created_at, other)).toBeUndefined();
});

test('rejects a round after the last time that can be written', () => {
  const slow = { ...QUICKNET, period: 86_400 };
  const words = (round: number) => sealBlind(slow, round, 'Rain.', new Uint8Array(48));
  const at = '2026-01-02T03:04:05.678Z';
  expect(readBlindSeal(words(9_999_999_999), at, slow)).toBeUndefined();
  expect(readBlindSeal(words(9_999), at, slow)?.due).toBe(new Date(roundTime(slow, 9_999)).toISOString());
});

test('reports a seal without a text only when it opens', () => {
  const at = '2023-08-23T15:09:27.000Z';
  const read = (plaintext: Uint8Array) =>
    readBlindSeal(
      blindWords({
        chain: chain.hash,
        round: 1_000,
        ciphertext: timelockEncrypt(chain, 1_000, plaintext, new Uint8Array(48)),
      }),
      at,
      chain,
    )!;
  const junk = read(new Uint8Array(1_002).fill(1));
  expect(() => openBlind(chain, junk, beacon.signature)).toThrow(TimelockError);
  const good = read(padBlind('Rain.'));
  good.ciphertext[900]! ^= 1;
  expect(() => openBlind(chain, good, beacon.signature)).toThrow('what it encrypts was changed');
  expect(() => openBlind(chain, good, 'ab'.repeat(48))).toThrow(BeaconError);
  expect(() => sealBlind(chain, 1_000, 'x'.repeat(1_001), new Uint8Array(48))).toThrow('at most 1000 bytes');
});
