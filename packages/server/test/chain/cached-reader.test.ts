// Runs without a database.
import type { ChainAnswer } from '@svc/verifier';
import { expect, it } from 'vitest';
import { cachedReader } from '../../src/chain/attestation-reader.ts';

function counted(answer: ChainAnswer = { kind: 'read', chainId: 7, attestation: null }) {
  let [asked, admitted] = [0, 0];
  const readerFor = cachedReader({
    attestation: async () => {
      asked++;
      return answer;
    },
  });
  const reader = readerFor(async () => {
    admitted++;
    return undefined;
  });
  return { readerFor, reader, counts: () => ({ asked, admitted }) };
}

it('counts only uncached reads of a caller', async () => {
  const { reader, readerFor, counts } = counted();
  await reader.attestation('0xc', '0x1', 7);
  await reader.attestation('0xc', '0x1', 7);
  expect(counts()).toEqual({ asked: 1, admitted: 1 });
  await reader.attestation('0xc', '0x2', 7);
  expect(counts()).toEqual({ asked: 2, admitted: 2 });
  const spent = readerFor(async () => 'too many');
  expect(await spent.attestation('0xc', '0x2', 7)).toMatchObject({ kind: 'read' });
  expect(await spent.attestation('0xc', '0x3', 7)).toEqual({ kind: 'unreachable', reason: 'too many' });
  expect(await reader.attestation('0xc', '0x3', 7)).toMatchObject({ kind: 'read' });
});

it('retries a failed read at once', async () => {
  const { reader, counts } = counted({ kind: 'unreachable', reason: 'away' });
  await reader.attestation('0xc', '0x1', 7);
  await reader.attestation('0xc', '0x1', 7);
  expect(counts()).toEqual({ asked: 2, admitted: 2 });
});
