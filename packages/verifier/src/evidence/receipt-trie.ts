import { compareBytes } from '@svc/protocol';
import { keccak256 } from '@svc/protocol/keccak';
import { asBytes, asList, decodeRlp, encodeIndex, EvidenceError } from './rlp.ts';

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
