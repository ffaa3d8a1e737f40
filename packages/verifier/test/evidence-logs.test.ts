import { bytesToHex, hexToBytes } from '@svc/protocol';
import { keccak256 } from '@svc/protocol/keccak';
import { overall } from '@svc/verifier';
import { blockHashes, uidOf, verifyEvidence } from '@svc/verifier/evidence';
import { expect, test } from 'vitest';
import { trustOf } from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';

type Item = Uint8Array | Item[];
const bytes = (hex: string) => hexToBytes(hex.replace('0x', ''));
const sized = (tag: number, body: Uint8Array): Uint8Array => {
  if (body.length < 56) return Buffer.concat([Buffer.of(tag + body.length), body]);
  const size = bytes(body.length.toString(16).padStart(body.length < 256 ? 2 : 4, '0'));
  return Buffer.concat([Buffer.of(tag + 55 + size.length), size, body]);
};
const rlp = (item: Item): Uint8Array => {
  if (Array.isArray(item)) return sized(0xc0, Buffer.concat(item.map(rlp)));
  return item.length === 1 && item[0]! < 0x80 ? item : sized(0x80, item);
};

const ATTESTED = '8bf46bf4cfd674fa735a3d63ec1c9ad4153f033c290341f3a588b75685141b35';
const { evidence, trust } = readVector('valid/evidence-single-among-20');
const { preimage } = evidence.commitment;
const topicOf = (address: string) => `${'00'.repeat(12)}${address.slice(2)}`;
const log = {
  address: trust.contract as string,
  data: uidOf(preimage),
  status: '01',
  time: preimage.time as number,
  event: ATTESTED,
  recipient: topicOf(preimage.recipient),
  attester: topicOf(preimage.attester),
  schema: preimage.schema as string,
};

/** In a block of one transaction, whose hash the reader confirms. */
function judge(
  { address, data, status, time, event, ...indexed }: typeof log,
  more: readonly Item[] = [],
): Promise<string> {
  const topics = [event, indexed.recipient, indexed.attester, indexed.schema].map(bytes);
  const none = Buffer.alloc(0);
  const receipt = rlp([bytes(status), none, none, [[bytes(address), topics, bytes(data), ...more]]]);
  // The path of the first transaction is the nibbles 8 and 0.
  const node = rlp([bytes('2080'), receipt]);
  const root: Uint8Array = keccak256(node);
  const fields = Array.from({ length: 12 }, (_, at) =>
    at === 5 ? root : at === 11 ? bytes(time.toString(16)) : none,
  );
  const header = rlp(fields);
  const [encoded, hash] = [header, keccak256(header)].map((one) => `0x${bytesToHex(one)}`);
  const commitment = {
    header: encoded,
    transaction_index: 0,
    nodes: [`0x${bytesToHex(node)}`],
    log: 0,
    preimage,
  };
  return verifyEvidence({ ...evidence, commitment }, trustOf({ trust }), blockHashes([hash!])).then(overall);
}

test('passes with the log of the trusted contract', async () => expect(await judge(log)).toBe('pass'));

test.each<[string, Partial<typeof log>]>([
  ['by a different contract', { address: `0x${'7'.repeat(40)}` }],
  ['of a different uid', { data: `0x${'7'.repeat(64)}` }],
  ['of a different event', { event: '7'.repeat(64) }],
  ['of a different recipient', { recipient: '7'.repeat(64) }],
  ['of a different attester', { attester: '7'.repeat(64) }],
  ['of a different schema', { schema: `0x${'7'.repeat(64)}` }],
  ['of a failed transaction', { status: '' }],
  ['of a block of a different time', { time: log.time + 1 }],
])('fails with a log %s', async (_, change) => expect(await judge({ ...log, ...change })).toBe('fail'));

test('fails with a fourth item in the log', async () =>
  expect(await judge(log, [Buffer.alloc(0)])).toBe('fail'));
