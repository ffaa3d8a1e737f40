// Runs without a database.
import { concatHex, keccak256, toRlp } from 'viem';
import { expect, test } from 'vitest';
import { ChainUnavailable } from '../../../src/chain/port.ts';
import { receiptRlp, receiptTrie } from '../../../src/proofs/evidence/rebuild.ts';

const bloom = `0x${'00'.repeat(256)}` as const;
const log = { address: `0x${'AB'.repeat(20)}`, topics: [`0x${'cd'.repeat(32)}`], data: '0x' };
const plain = { status: '0x1', cumulativeGasUsed: '0x5208', logsBloom: bloom, logs: [log] };
const items = ['0x01', '0x5208', bloom, [[`0x${'ab'.repeat(20)}`, [`0x${'cd'.repeat(32)}`], '0x']]] as const;

test('encodes receipts of every type as the block’s trie contains them', () => {
  const list = toRlp(items as never);
  expect(receiptRlp(plain)).toBe(list);
  expect(receiptRlp({ ...plain, type: '0x0' })).toBe(list);
  for (const type of ['01', '02', '03', '04', '64', '7f'] as const)
    expect(receiptRlp({ ...plain, type: `0x${type}` })).toBe(concatHex([`0x${type}`, list]));
});

test('encodes a failed receipt and an OP Stack deposit of each version', () => {
  expect(receiptRlp({ ...plain, status: '0x0' })).toBe(toRlp(['0x', ...items.slice(1)] as never));
  const deposit = { ...plain, type: '0x7e', depositNonce: '0x10f' };
  expect(receiptRlp(deposit)).toBe(concatHex(['0x7e', toRlp(items as never)]));
  expect(receiptRlp({ ...deposit, depositReceiptVersion: '0x1' })).toBe(
    concatHex(['0x7e', toRlp([...items, '0x010f', '0x01'] as never)]),
  );
});

test.each([
  { status: undefined },
  { logsBloom: 'none' },
  { logs: [5] },
  { type: '0x80' },
  { type: '0x100000000000000000' },
])('rejects a malformed receipt: %j', (change) =>
  expect(() => receiptRlp({ ...plain, ...change })).toThrow(ChainUnavailable),
);

test('builds a trie of one leaf, and the same trie for every wanted receipt', () => {
  const receipts = Array.from({ length: 300 }, (_, at) =>
    receiptRlp({ ...plain, cumulativeGasUsed: `0x${(at + 1).toString(16)}` }),
  );
  const alone = receiptTrie(receipts.slice(0, 1), 0);
  expect(alone.nodes).toEqual([toRlp(['0x2080', receipts[0]!])]);
  expect(alone.root).toBe(keccak256(alone.nodes[0]!));
  const tries = [0, 1, 127, 128, 255, 256, 299].map((at) => receiptTrie(receipts, at));
  expect(new Set(tries.map(({ root }) => root)).size).toBe(1);
  expect(new Set(tries.map(({ nodes }) => nodes.at(-1))).size).toBe(7);
});
