import type { Receipt } from '@svc/protocol';
import { decodeAttestation, overall, verifyReceipt } from '@svc/verifier';
import { describe, expect, test } from 'vitest';
import { readerOf, receiptVector, trustOf } from '../../../testing/vectors/receipts.ts';
import type { ReceiptVector } from '../../../testing/vectors/receipts.ts';
import { flipHex } from './support/flipped.ts';

async function outcome(vector: ReceiptVector): Promise<string> {
  try {
    return overall(await verifyReceipt(vector.receipt, trustOf(vector), readerOf(vector)));
  } catch (error) {
    return (error as Error).name === 'ReceiptError' ? 'refused' : `thrown: ${String(error)}`;
  }
}

/** By vector: the values that a check proves. */
const PROVEN = {
  'receipt-signed':
    'signature.value signature.public_key canonical_string author.user_id status _format chain.anchored_at',
  'receipt-instant': `hash inclusion.root inclusion.proof.0 inclusion.proof.1 inclusion.proof.2 inclusion.tree_size
    inclusion.tree_version chain.chain_id chain.attestation_contract chain.schema_uid chain.attestation_uid
    chain.expect_onchain chain.relayer`,
  'receipt-retracted': `hash revocation.root revocation.proof.0 revocation.proof.1 revocation.attestation_uid
    revocation.tree_size revocation.tree_version revocation.kind author.user_id status chain.anchored_at`,
  'receipt-single': 'hash chain.attestation_uid chain.expect_onchain',
  'receipt-not-ascii': 'canonical_string',
  'receipt-tree-v1': 'canonical_string author.user_id',
};
/** The bits of a number that are flipped. */
const BITS: Record<string, number> = { tree_size: 14, tree_version: 2, chain_id: 31, kind: 1 };

function* flipsOf(value: string | number, name: string): Generator<string | number> {
  if (typeof value === 'number') for (let bit = 0; bit < BITS[name]!; bit++) yield value ^ (1 << bit);
  else if (isHex(value)) for (let bit = 0; bit < bitsOfHex(value); bit++) yield flipHex(value, bit);
  else
    for (let bit = 0; bit < Buffer.byteLength(value) * 8; bit++) {
      const bytes = Buffer.from(value, 'utf8');
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      yield bytes.toString('utf8');
    }
}
const isHex = (value: unknown) => typeof value === 'string' && /^(?:0x)?[0-9a-f]{40,}$/.test(value);
const bitsOfHex = (hex: string) => (hex.replace('0x', '').length / 2) * 8;

const cases = Object.entries(PROVEN).flatMap(([name, paths]) =>
  paths.split(/\s+/).map((path): [string, string] => [name, path]),
);
test.each(cases)('a flipped bit never passes: %s %s', async (name, path) => {
  const vector = receiptVector(`valid/${name}`);
  const keys = path.split('.');
  const last = keys.pop()!;
  const holder = keys.reduce((at: any, key) => at[key], vector.receipt);
  const value = holder[last];
  const allowed = isHex(value)
    ? ['fail', ...(last === 'attestation_uid' ? ['wait'] : [])]
    : ['fail', 'refused'];
  const missed = [];
  for (const flipped of flipsOf(value, last)) {
    holder[last] = flipped;
    const found = await outcome(vector);
    if (!allowed.includes(found)) missed.push([flipped, found]);
  }
  expect(missed).toEqual([]);
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
      const retracts = word === 5 && name === 'valid/receipt-single';
      const free = word === 3 && name === 'valid/receipt-retracted';
      if (found === 'pass' && !UNUSED.includes(word) && !retracts && !free) missed.push([word, bit]);
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
