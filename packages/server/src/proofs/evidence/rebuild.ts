// Encodes a block header and receipts again from a node's JSON, and compares their hashes.
import { concatHex, keccak256, numberToHex, toRlp } from 'viem';
import { ChainUnavailable, type Hex } from '../../chain/port.ts';
import { unexpectedAnswer, toBigInt, toBytes, toHash, toNumber, toRecord } from '../../chain/json-rpc.ts';

/** Clients see these: ASCII only, no words of a node. */
export const REASONS = {
  pending: 'the attestation is not final yet',
  made: 'the proof is being made',
  block: 'no endpoint of the service shows its block',
  header: 'the hash of its block cannot be computed from what the endpoint of the service tells of it',
  receipts: 'no endpoint of the service shows the receipts of its block',
  root: 'the receipts that the endpoint of the service tells do not make the receipts root of its block',
  log: 'the receipts of its block do not hold it',
  unreachable: 'no endpoint of the service can be reached',
} as const;

export type Reason = keyof typeof REASONS;

/** A different endpoint's answers may still prove it. */
export class Unprovable extends ChainUnavailable {
  override name = 'Unprovable';
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(REASONS[reason]);
    this.reason = reason;
  }
}

type Nested = Hex | Nested[];
type Rebuilt = Record<string, unknown>;

const bare = (value: unknown): Hex => {
  const number = toBigInt(value);
  return number === 0n ? '0x' : withoutZeros(numberToHex(number));
};
const withoutZeros = (hex: Hex): Hex => (hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`);

const BYTES = (value: unknown): Hex => toBytes(value);

/** The order is fixed; later forks append fields. */
const HEADER: readonly [name: string, encode: (value: unknown) => Hex][] = [
  ['parentHash', BYTES],
  ['sha3Uncles', BYTES],
  ['miner', BYTES],
  ['stateRoot', BYTES],
  ['transactionsRoot', BYTES],
  ['receiptsRoot', BYTES],
  ['logsBloom', BYTES],
  ['difficulty', bare],
  ['number', bare],
  ['gasLimit', bare],
  ['gasUsed', bare],
  ['timestamp', bare],
  ['extraData', BYTES],
  ['mixHash', BYTES],
  ['nonce', BYTES],
  ['baseFeePerGas', bare],
  ['withdrawalsRoot', BYTES],
  ['blobGasUsed', bare],
  ['excessBlobGas', bare],
  ['parentBeaconBlockRoot', BYTES],
  ['requestsHash', BYTES],
];

/** @throws {Unprovable} if the header does not hash to `hash` */
export function rebuildBlock(answer: unknown, hash: string) {
  const block = toRecord(answer);
  const header = toRlp(
    HEADER.filter(([name]) => block[name] !== undefined && block[name] !== null).map(([name, encode]) =>
      encode(block[name]),
    ),
  );
  if (keccak256(header) !== hash) throw new Unprovable('header');
  const { transactions } = block;
  if (!Array.isArray(transactions)) throw new Unprovable('header');
  return {
    number: toNumber(block['number']),
    header,
    receiptsRoot: toHash(block['receiptsRoot']),
    transactions: transactions.map(toHash),
  };
}

export type RebuiltBlock = ReturnType<typeof rebuildBlock>;

/** An OP Stack deposit: its receipt has more fields if it has a version. */
const DEPOSIT = 0x7e;

/** RLP reads a larger first byte as a list. */
const LAST_TYPE = 0x7f;

export function receiptRlp(receipt: Rebuilt): Hex {
  const type = receipt['type'] === undefined ? 0 : toNumber(receipt['type']);
  if (type > LAST_TYPE) throw unexpectedAnswer('the type of a transaction');
  const logs = Array.isArray(receipt['logs']) ? receipt['logs'].map(toRecord) : [];
  const items: Nested[] = [
    bare(receipt['status']),
    bare(receipt['cumulativeGasUsed']),
    toBytes(receipt['logsBloom']),
    logs.map((log): Nested => [
      toBytes(log['address']),
      Array.isArray(log['topics']) ? log['topics'].map(toHash) : [],
      toBytes(log['data']),
    ]),
  ];
  const version = receipt['depositReceiptVersion'];
  if (type === DEPOSIT && version !== undefined && version !== null)
    items.push(bare(receipt['depositNonce']), bare(version));
  const list = toRlp(items as never);
  return type === 0 ? list : concatHex([numberToHex(type, { size: 1 }), list]);
}

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
