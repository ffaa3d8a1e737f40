import type { Receipt } from '@svc/protocol';
import { decodeAttestation, overall, verifyReceipt } from '@svc/verifier';
import { describe, expect, test } from 'vitest';
import { readerOf, receiptVector, trustOf } from '../../../testing/vectors/receipts.ts';
import type { ReceiptVector } from '../../../testing/vectors/receipts.ts';

async function outcome(vector: ReceiptVector): Promise<string> {
  try {
    return overall(await verifyReceipt(vector.receipt, trustOf(vector), readerOf(vector)));
  } catch (error) {
    return (error as Error).name === 'ReceiptError' ? 'refused' : `thrown: ${String(error)}`;
  }
}

function flipHex(hex: string, bit: number): string {
  const prefix = hex.startsWith('0x') ? '0x' : '';
  const bytes = Buffer.from(hex.slice(prefix.length), 'hex');
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return prefix + bytes.toString('hex');
}

function flipText(text: string, bit: number): string {
  const bytes = Buffer.from(text, 'utf8');
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes.toString('utf8');
}

const bitsOfHex = (hex: string) => (hex.replace('0x', '').length / 2) * 8;
const bitsOfText = (text: string) => Buffer.byteLength(text) * 8;

/** Values that a check proves. */
const HEX_FIELDS: Record<string, string[][]> = {
  'valid/receipt-signed': [
    ['signature', 'value'],
    ['signature', 'public_key'],
  ],
  'valid/receipt-instant': [
    ['hash'],
    ['inclusion', 'root'],
    ['inclusion', 'proof', '0'],
    ['inclusion', 'proof', '1'],
    ['inclusion', 'proof', '2'],
    ['chain', 'attestation_contract'],
    ['chain', 'schema_uid'],
    ['chain', 'attestation_uid'],
    ['chain', 'expect_onchain'],
    ['chain', 'relayer'],
  ],
  'valid/receipt-retracted': [
    ['hash'],
    ['revocation', 'root'],
    ['revocation', 'proof', '0'],
    ['revocation', 'proof', '1'],
    ['revocation', 'attestation_uid'],
  ],
  'valid/receipt-single': [['hash'], ['chain', 'attestation_uid'], ['chain', 'expect_onchain']],
};
const TEXT_FIELDS: Record<string, string[][]> = {
  'valid/receipt-signed': [
    ['canonical_string'],
    ['author', 'user_id'],
    ['status'],
    ['_format'],
    ['chain', 'anchored_at'],
  ],
  'valid/receipt-not-ascii': [['canonical_string']],
  'valid/receipt-tree-v1': [['canonical_string'], ['author', 'user_id']],
  'valid/receipt-retracted': [['author', 'user_id'], ['status'], ['chain', 'anchored_at']],
};

function changed(vector: ReceiptVector, path: string[], change: (value: unknown) => unknown): ReceiptVector {
  const receipt = structuredClone(vector.receipt) as unknown as Record<string, unknown>;
  const holder = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, receipt);
  const last = path.at(-1)!;
  holder[last] = change(holder[last]);
  return { ...vector, receipt: receipt as unknown as Receipt };
}

const cases = (fields: Record<string, string[][]>) =>
  Object.entries(fields).flatMap(([name, paths]) =>
    paths.map((path): [string, string, string[]] => [name, path.join('.'), path]),
  );

describe('a flipped bit of a receipt never passes', () => {
  test.each(cases(HEX_FIELDS))('%s %s', async (name, _, path) => {
    const vector = receiptVector(name);
    const value = path.reduce<unknown>(
      (at, key) => (at as Record<string, unknown>)[key],
      vector.receipt,
    ) as string;
    const missed = [];
    for (let bit = 0; bit < bitsOfHex(value); bit++) {
      const found = await outcome(changed(vector, path, (hex) => flipHex(hex as string, bit)));
      if (found !== 'fail' && !(found === 'wait' && path.at(-1) === 'attestation_uid'))
        missed.push([bit, found]);
    }
    expect(missed).toEqual([]);
  });

  test.each(cases(TEXT_FIELDS))('%s %s', async (name, _, path) => {
    const vector = receiptVector(name);
    const value = path.reduce<unknown>(
      (at, key) => (at as Record<string, unknown>)[key],
      vector.receipt,
    ) as string;
    const missed = [];
    for (let bit = 0; bit < bitsOfText(value); bit++) {
      const found = await outcome(changed(vector, path, (text) => flipText(text as string, bit)));
      if (found !== 'fail' && found !== 'refused') missed.push([bit, found]);
    }
    expect(missed).toEqual([]);
  });

  test.each([
    ['valid/receipt-instant', ['inclusion', 'tree_size'], 14],
    ['valid/receipt-instant', ['inclusion', 'tree_version'], 2],
    ['valid/receipt-instant', ['chain', 'chain_id'], 31],
    ['valid/receipt-retracted', ['revocation', 'tree_size'], 14],
    ['valid/receipt-retracted', ['revocation', 'tree_version'], 2],
    ['valid/receipt-retracted', ['revocation', 'kind'], 1],
  ] as [string, string[], number][])('%s %s', async (name, path, bits) => {
    for (let bit = 0; bit < bits; bit++) {
      const found = await outcome(
        changed(receiptVector(name), path, (value) => (value as number) ^ (1 << bit)),
      );
      expect(['fail', 'refused'], `bit ${bit}`).toContain(found);
    }
  });
});

// Unused: expiration, reference, recipient, revocable.
const UNUSED = [4, 6, 7, 9];

describe('a flipped bit of a chain answer fails or makes the answer unreadable', () => {
  test.each([
    ['valid/receipt-instant', 'the commitment', (r: Receipt) => r.chain.attestation_uid!],
    ['valid/receipt-single', 'its own attestation', (r: Receipt) => r.chain.attestation_uid!],
    ['valid/receipt-retracted', 'the tombstone', (r: Receipt) => r.revocation!.attestation_uid!],
  ])('%s: %s', async (name, _, uidOf) => {
    const vector = receiptVector(name);
    const uid = uidOf(vector.receipt);
    const raw = vector.chain.eth_call[uid]!;
    const missed = [];
    for (let bit = 0; bit < bitsOfHex(raw); bit++) {
      const word = Math.floor(bit / 256);
      const answer = flipHex(raw, bit);
      const found = await outcome(withAnswer(vector, uid, answer));
      // The receipt does not contain the time of a tombstone; the revocation of a single attestation is a
      // retraction.
      const told = word === 5 && name === 'valid/receipt-single';
      const free = word === 3 && name === 'valid/receipt-retracted';
      if (found === 'pass' && !UNUSED.includes(word) && !told && !free) missed.push([word, bit]);
      if (!['pass', 'fail', 'wait'].includes(found)) missed.push([word, bit, found]);
    }
    expect(missed).toEqual([]);
  });
});

/** An answer that cannot be decoded is unreachable, as in `rpcChain`. */
function withAnswer(vector: ReceiptVector, uid: string, answer: string): ReceiptVector {
  try {
    decodeAttestation(answer);
    return { ...vector, chain: { ...vector.chain, eth_call: { ...vector.chain.eth_call, [uid]: answer } } };
  } catch {
    return { ...vector, chain: { ...vector.chain, chain_id: 1 } };
  }
}
