import { keccak256, numberToHex, toRlp } from 'viem';
import type { Hex } from '../../chain/port.ts';

interface Entry {
  path: number[];
  value: Hex;
}

/** docs/protocol.md#48-evidence. @returns the root, and the nodes down to the wanted receipt */
export function receiptTrie(receipts: readonly Hex[], index: number): { root: Hex; nodes: Hex[] } {
  const entries = receipts.map((value, at): Entry => ({ path: pathOf(at), value }));
  const nodes = nodesTo(entries, 0, pathOf(index));
  return { root: keccak256(nodes[0]!), nodes };
}

const pathOf = (index: number): number[] => nibbles(toRlp(index === 0 ? '0x' : evenHex(index)));
const evenHex = (index: number): Hex =>
  numberToHex(index, { size: Math.ceil(index.toString(16).length / 2) });
const nibbles = (hex: Hex): number[] => [...hex.slice(2)].map((digit) => parseInt(digit, 16));

function nodesTo(entries: readonly Entry[], depth: number, wanted: readonly number[]): Hex[] {
  const [first] = entries;
  if (entries.length === 1) return [toRlp([hexPrefix(first!.path.slice(depth), true), first!.value])];
  let shared = depth;
  while (entries.every(({ path }) => path[shared] === first!.path[shared])) shared++;
  if (shared > depth) {
    const below = nodesTo(entries, shared, wanted);
    return [toRlp([hexPrefix(first!.path.slice(depth, shared), false), keccak256(below[0]!)]), ...below];
  }
  const under = Array.from({ length: 16 }, (): Entry[] => []);
  for (const entry of entries) under[entry.path[depth]!]!.push(entry);
  let way: Hex[] = [];
  const branches = under.map((some, digit): Hex => {
    if (some.length === 0) return '0x';
    const below = nodesTo(some, depth + 1, wanted);
    if (digit === wanted[depth]) way = below;
    return keccak256(below[0]!);
  });
  // No key is a prefix of a different key, so a branch has no value.
  return [toRlp([...branches, '0x']), ...way];
}

function hexPrefix(path: readonly number[], isLeaf: boolean): Hex {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2);
  const all = path.length % 2 === 1 ? [flag, ...path] : [flag, 0, ...path];
  return `0x${all.map((digit) => digit.toString(16)).join('')}`;
}
