import type { Receipt } from '@svc/protocol';
import { receiptVector, receiptVectors } from '../../../../testing/vectors/receipts.ts';
import type { ReceiptVector } from '../../../../testing/vectors/receipts.ts';

export function* flipped(): Generator<[string, ReceiptVector]> {
  for (const kind of ['instant', 'tree-v1', 'retracted', 'single', 'sealed']) {
    const name = `receipt-${kind}`;
    const vector = receiptVector(`valid/${name}`);
    for (const path of hexPaths(vector.receipt))
      for (let bit = 0; bit < 256; bit += 13) {
        const receipt = structuredClone(vector.receipt);
        flipAt(receipt, path, bit);
        yield [`${name} ${path.join('.')} bit ${bit}`, { ...vector, receipt }];
      }
    for (const [uid, raw] of Object.entries(vector.chain.eth_call))
      for (const bit of ANSWER_BITS) {
        const eth_call = { ...vector.chain.eth_call, [uid]: flipHex(raw, bit) };
        yield [`${name} answer bit ${bit}`, { ...vector, chain: { ...vector.chain, eth_call } }];
      }
  }
  // One bit of each value, another bit in each tree, over trees of every size.
  const trees = receiptVectors().filter(([name]) => name.startsWith('tree v'));
  for (const [at, [name, vector]] of trees.entries())
    for (const [place, path] of hexPaths(vector.receipt).entries()) {
      const bit = (at * 37 + place * 101) % 256;
      const receipt = structuredClone(vector.receipt);
      flipAt(receipt, path, bit);
      yield [`${name} ${path.join('.')} bit ${bit}`, { ...vector, receipt }];
    }
  const { canonical_string: words } = receiptVector('valid/receipt-instant').receipt;
  for (let at = 0; at < words!.length; at++) {
    const vector = receiptVector('valid/receipt-instant');
    const changed = String.fromCharCode(words!.charCodeAt(at) ^ (1 << (at % 7)));
    vector.receipt.canonical_string = words!.slice(0, at) + changed + words!.slice(at + 1);
    yield [`words character ${at}`, vector];
  }
}

/**
 * Bits of uid, schema, time, attester and data. A flipped bit of the revocation time makes it later than the
 * attestation, because no contract returns an earlier one.
 */
const ANSWER_BITS = [
  ...[1, 2, 12, 13, 14, 15].flatMap((word) => [0, 77, 130, 201, 255].map((bit) => word * 256 + bit)),
  ...[225, 240, 248, 255].map((bit) => 3 * 256 + bit),
  ...[96, 177, 255].map((bit) => 8 * 256 + bit),
  5 * 256 + 231,
];

const SKIPPED = ['etch_id', 'tx_hash', 'signature', 'username', 'canonical_string'];

function hexPaths(value: object, at: string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (SKIPPED.includes(key)) return [];
    if (typeof inner === 'object' && inner !== null) return hexPaths(inner, [...at, key]);
    return typeof inner === 'string' && /^(0x)?[0-9a-f]{40,64}$/.test(inner) ? [[...at, key]] : [];
  });
}

function flipAt(receipt: Receipt, path: string[], bit: number): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], receipt);
  const last = path.at(-1)!;
  const hex = (holder as Record<string, string>)[last]!;
  (holder as Record<string, string>)[last] = flipHex(hex, bit % (hex.replace('0x', '').length * 4));
}

export function flipHex(hex: string, bit: number): string {
  const prefix = hex.startsWith('0x') ? '0x' : '';
  const bytes = Buffer.from(hex.slice(prefix.length), 'hex');
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return prefix + bytes.toString('hex');
}
