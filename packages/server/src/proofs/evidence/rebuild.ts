import { concatHex, keccak256, numberToHex, toRlp } from 'viem';
import type { Hex } from '../../chain/port.ts';
import { nonsense, toBigInt, toBytes, toHash, toNumber, toRecord } from '../../chain/rpc-values.ts';
import { Unprovable } from './unprovable.ts';

type Nested = Hex | Nested[];
type Rebuilt = Record<string, unknown>;

export interface RebuiltBlock {
  number: number;
  header: Hex;
  receiptsRoot: Hex;
  transactions: Hex[];
}

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
export function rebuildBlock(answer: unknown, hash: string): RebuiltBlock {
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

/** An OP Stack deposit: its receipt has more fields if it has a version. */
const DEPOSIT = 0x7e;

/** RLP reads a larger first byte as a list. */
const LAST_TYPE = 0x7f;

export function receiptRlp(receipt: Rebuilt): Hex {
  const type = receipt['type'] === undefined ? 0 : toNumber(receipt['type']);
  if (type > LAST_TYPE) throw nonsense('the type of a transaction');
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
