import { MAX_RECEIPT_BYTES } from '@svc/verifier';
import { expect, test } from 'vitest';
import { readPiped } from '../src/load-receipt.ts';

const CHUNK = Buffer.alloc(65_536, ' ');
let taken = 0;
async function* piped(most: number): AsyncGenerator<Uint8Array> {
  for (taken = 0; taken < most; taken += CHUNK.length) yield CHUNK;
}

test('reads standard input up to the size limit of a receipt', async () => {
  expect(await readPiped(piped(MAX_RECEIPT_BYTES))).toHaveLength(MAX_RECEIPT_BYTES);
});

test('rejects endless standard input at the size limit of a receipt', async () => {
  await expect(readPiped(piped(64 * MAX_RECEIPT_BYTES))).rejects.toThrow(
    'standard input is larger than 1048576 bytes',
  );
  expect(taken).toBe(MAX_RECEIPT_BYTES);
});
