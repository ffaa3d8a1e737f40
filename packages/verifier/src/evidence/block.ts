import { bytesToHex, compareBytes } from '@svc/protocol';
import { keccak256 } from '@svc/protocol/keccak';
import { asBytes, asList, asNumber, decodeRlp, encodeIndex, EvidenceError, type Rlp } from './rlp.ts';

export interface Header {
  /** with `0x` */
  hash: string;
  receiptsRoot: Uint8Array;
  number: number;
  /** seconds since 1970 */
  time: number;
}

/**
 * Chains may add further items.
 * @throws {EvidenceError}
 */
export function readHeader(rlp: Uint8Array): Header {
  const items = asList(decodeRlp(rlp), 12);
  return {
    hash: `0x${bytesToHex(keccak256(rlp))}`,
    receiptsRoot: asBytes(items[5], 32),
    number: asNumber(items[8]),
    time: asNumber(items[11]),
  };
}

export interface Log {
  /** with `0x` */
  address: string;
  /** with `0x` */
  topics: string[];
  data: Uint8Array;
}

/**
 * A type byte may precede the list.
 * @param position among the logs of this receipt
 * @throws {EvidenceError}
 */
export function readLog(receipt: Uint8Array, position: number): Log {
  const items = asList(decodeRlp(receipt[0]! < 0x80 ? receipt.subarray(1) : receipt), 4);
  const status = asBytes(items[0]);
  if (status.length !== 1 || status[0] !== 1) throw new EvidenceError('its transaction failed');
  const log = asList(items[3], 0)[position];
  if (log === undefined) throw new EvidenceError('its transaction has no such log');
  const [address, topics, data] = asList(log, 3, 3);
  return {
    address: `0x${bytesToHex(asBytes(address, 20))}`,
    topics: asList(topics, 0).map((topic: Rlp) => `0x${bytesToHex(asBytes(topic, 32))}`),
    data: asBytes(data),
  };
}

const HASH = 32;

/**
 * Each node names the next by hash, and every node is used (docs/protocol.md#48-evidence).
 * @throws {EvidenceError}
 */
export function receiptInTrie(
  root: Uint8Array,
  transactionIndex: number,
  nodes: readonly Uint8Array[],
): Uint8Array {
  const path = nibbles(encodeIndex(transactionIndex));
  let expected = root;
  let at = 0;
  for (const [depth, node] of nodes.entries()) {
    if (compareBytes(keccak256(node), expected) !== 0)
      throw new EvidenceError('a node of its trie does not have the hash in its parent');
    const items = asList(decodeRlp(node), 2);
    if (items.length === 17) {
      const branch = path[at++];
      if (branch === undefined) throw elsewhere();
      expected = asBytes(items[branch], HASH);
      continue;
    }
    if (items.length !== 2) throw new EvidenceError('a node of its trie is malformed');
    const { isLeaf, steps } = partialPath(asBytes(items[0]));
    if (steps.some((step, offset) => path[at + offset] !== step)) throw elsewhere();
    at += steps.length;
    if (!isLeaf) {
      expected = asBytes(items[1], HASH);
      continue;
    }
    if (at !== path.length || depth !== nodes.length - 1) throw elsewhere();
    return asBytes(items[1]);
  }
  throw new EvidenceError('its trie’s nodes end before the transaction’s receipt');
}

const nibbles = (bytes: Uint8Array): number[] => [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
const elsewhere = () => new EvidenceError('its trie’s nodes lead to a different transaction');

/** Hex prefix: leaf flag, odd path. */
function partialPath(bytes: Uint8Array): { isLeaf: boolean; steps: number[] } {
  const [flags = 4, padding = 0, ...rest] = nibbles(bytes);
  if (flags > 3 || (flags % 2 === 0 && padding !== 0))
    throw new EvidenceError('a node of its trie is malformed');
  return { isLeaf: flags >= 2, steps: flags % 2 === 1 ? [padding, ...rest] : rest };
}
