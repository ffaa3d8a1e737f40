import { readBlindSeal } from '@svc/protocol/conventions';
import { parseChainInfo, timelockEncrypt } from '@svc/protocol/timelock';
import { expect, test } from 'vitest';
import { readVector } from '../../../../testing/vectors/vectors.ts';
import { checkBlindSeal } from '../../src/opening/index.ts';

const vector = readVector('valid/blind-seals');
const chain = parseChainInfo(vector.chain);
const { round, signature } = vector.beacon;
const [{ words, created_at: createdAt, text }] = vector.seals;
const seal = readBlindSeal(words, createdAt, chain)!;

test('waits for the signature of its round, and opens with it', () => {
  expect(checkBlindSeal(seal, chain, signature)).toMatchObject({ verdict: 'pass', badge: 'opened', text });
  const waiting = checkBlindSeal(seal, chain, null);
  expect(waiting).toMatchObject({ verdict: 'wait', badge: 'sealed', text: null });
  expect(waiting.detail).toContain(seal.due);
});

test('waits when given a different signature', () => {
  for (const wrong of ['', 'ff'.repeat(48), signature.replace(/^b4/, 'b5')])
    expect(checkBlindSeal(seal, chain, wrong)).toMatchObject({ verdict: 'wait', badge: 'other-beacon' });
});

test('fails with the right signature when the seal has no text or was changed', () => {
  const junk = timelockEncrypt(chain, round, new Uint8Array(1_002).fill(7), new Uint8Array(48));
  const changed = seal.ciphertext.with(-1, seal.ciphertext.at(-1)! ^ 1);
  for (const ciphertext of [junk, changed])
    expect(checkBlindSeal({ round, ciphertext }, chain, signature)).toMatchObject({
      verdict: 'fail',
      badge: 'junk',
      text: null,
    });
});
