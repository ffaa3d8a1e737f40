import { bytesToHex, type Receipt } from '@svc/protocol';
import { describe, expect, test } from 'vitest';
import type { CalendarFault } from '../../../testing/calendar/calendar.ts';
import {
  attestationsOf,
  withoutPendingCalendars,
  givenHeaders,
  isPending,
  mergeInto,
  noHeaders,
  readHeader,
  readOts,
  rpcHeaders,
  stampDigest,
  TimestampError,
  writeOts,
} from '../src/ots/index.ts';
import {
  bare,
  BLOCK_TIME,
  check,
  dataOf,
  digest,
  judge,
  PATIENCE,
  receiptOf,
  sha256,
  useCalendars,
  withProofs,
} from './support/ots.ts';

const world = useCalendars();
const { stamp, complete, mine, mined, node } = world;

test('waits for the block of a calendar, then passes by its header, given or from a node', async () => {
  expect(await check(bare, noHeaders)).toMatchObject({ verdict: 'wait', badge: 'none', time: null });
  const promise = await stamp();
  expect(await judge(writeOts(promise), noHeaders)).toBe('wait pending');
  await complete(promise);
  expect(isPending(promise)).toBe(true);
  const { proof, header } = await mined();
  const unproven = await check(withProofs(proof), noHeaders);
  expect(unproven).toMatchObject({ verdict: 'wait', badge: 'unproven', time: null });
  const root = Buffer.from(readHeader(header).merkleRoot).reverse().toString('hex');
  expect(unproven.evidence.map(({ value }) => value)).toContain(root);
  for (const headers of [givenHeaders([header]), givenHeaders(['00'.repeat(80), header]), node()]) {
    const found = await check(withProofs(proof), headers);
    expect(found).toMatchObject({ verdict: 'pass', badge: 'attested', time: '2033-05-18T03:33:20.000Z' });
    expect(found.detail).toContain('It existed by 2033-05-18T03:33:20.000Z');
    expect(found.evidence[0]!.value).toBe(readHeader(header).hash);
  }
});

test('fails with a different header, and waits for a node that does not answer', async () => {
  const { proof } = await mined();
  const { header: another } = await mined();
  expect(await judge(proof, givenHeaders([another]))).toBe('fail mismatch');
  for (const url of [world.other.bitcoinRpc, 'http://127.0.0.1:9/'])
    expect(await judge(proof, rpcHeaders(url, PATIENCE))).toBe('wait unproven');
});

test('fails with a proof of a different tree, and with a block that is older than the words', async () => {
  const { proof, header } = await mined(sha256(dataOf(bare.receipt, 1)));
  expect(await judge(proof, givenHeaders([header]))).toMatch(/^fail /);

  const receipt = receiptOf('2030-01-01T00:00:00.000Z');
  const of = await mined(sha256(dataOf(receipt)));
  const file = { ...withProofs(of.proof), receipt, tombstone: null };
  expect(await check(file, givenHeaders([of.header]))).toMatchObject({ verdict: 'pass' });
  const old = Buffer.from(of.header, 'hex');
  old.writeUInt32LE(1_600_000_000, 68);
  expect(await check(file, givenHeaders([old.toString('hex')]))).toMatchObject({
    verdict: 'fail',
    badge: 'mismatch',
    detail: expect.stringContaining('is older than the stated time'),
  });
});

test('the proof of a tombstone is reported, and fails if its block has a different root', async () => {
  const tree = bare.receipt.revocation as unknown as Receipt['inclusion'];
  const first = await mined();
  const second = await mined(sha256(dataOf(bare.receipt, 1, tree)));
  const file = withProofs(first.proof, second.proof);
  file.witnesses[1]!.of = 'tombstone';
  const found = await check(file, node());
  expect(found).toMatchObject({ verdict: 'pass' });
  expect(found.detail).toContain('Its retraction existed by');
  expect((await check(file, givenHeaders([first.header]))).verdict).toBe('pass');
  const wrong = readOts(second.proof);
  for (const { attestation } of attestationsOf(wrong))
    if (attestation.kind === 'bitcoin') attestation.height = 900_000;
  file.witnesses[1]!.proof = `0x${bytesToHex(writeOts(wrong))}`;
  expect(await check(file, node())).toMatchObject({ verdict: 'fail', badge: 'mismatch' });
});

describe('a calendar that fails', () => {
  const FAULTS: [CalendarFault, string][] = [
    ['dead', 'unreachable'],
    ['error', 'unreachable'],
    ['huge', 'malformed'],
    ['endless', 'malformed'],
    ['malformed', 'malformed'],
    ['deep', 'malformed'],
    ['another digest', 'malformed'],
  ];
  test.each([
    ...FAULTS,
    ['another calendar', 'malformed'],
    ['nothing but blocks', 'malformed'],
  ] as typeof FAULTS)('gives no promise: %s', async (fault, expected) => {
    await world.calendar.fail(fault);
    const error = await stamp().catch((one: unknown) => one);
    expect(error).toBeInstanceOf(TimestampError);
    expect(error).toMatchObject({ fault: expected });
  });
  test.each(FAULTS)('leaves the promise as it is: %s', async (fault, expected) => {
    const proof = await stamp();
    const before = writeOts(proof);
    await mine();
    await world.calendar.fail(fault);
    expect(await complete(proof)).toMatchObject([{ fault: { fault: expected } }]);
    expect(writeOts(proof)).toEqual(before);
  });

  test('gives up on a slow answer', async () => {
    await world.calendar.fail('slow');
    const error = await stampDigest(world.calendar.url, digest, { timeoutMs: 50 }).catch(
      (one: unknown) => one,
    );
    expect(error).toMatchObject({ fault: 'unreachable' });
  });

  test('a block that does not have the digest never passes, alone or next to another proof', async () => {
    const honest = await stamp(digest, world.other);
    const proof = await stamp();
    await mine();
    await world.calendar.fail('lie');
    await complete(proof);
    expect(await judge(writeOts(proof), node())).toBe('fail mismatch');
    const header = await mine(world.other);
    mergeInto(proof, honest);
    await complete(proof, world.other);
    expect(await judge(writeOts(proof), givenHeaders([header]))).toMatch(/^pass /);
  });

  test('is read only at the address that the reader names', async () => {
    const proof = await stamp();
    const before = await world.calendar.seen();
    expect(await complete(proof, world.other)).toEqual([]);
    expect(await world.calendar.seen()).toBe(before);
  });
});

const stampByBoth = async () => {
  const proof = await stamp();
  mergeInto(proof, await stamp(digest, world.other));
  return proof;
};

test('keeps a proof readable when two calendars answer with too many operations together', async () => {
  const proof = await stampByBoth();
  const both = [world.calendar, world.other];
  await Promise.all(both.map((one) => one.mine(BLOCK_TIME)));
  await Promise.all(both.map((one) => one.fail('wide')));
  expect(await complete(proof, ...both)).toMatchObject([{ fault: { fault: 'malformed' } }]);
  const kinds = attestationsOf(readOts(writeOts(proof))).map(({ attestation }) => attestation.kind);
  expect(kinds.toSorted()).toEqual(['bitcoin', 'bitcoin', 'bitcoin', 'bitcoin', 'pending']);
});

test('drops attestations of kinds that it does not know', async () => {
  await world.calendar.fail('future');
  const { proof } = await mined();
  expect(attestationsOf(readOts(proof)).map(({ attestation }) => attestation.kind)).toEqual(['bitcoin']);
});

test('evidence of two calendars has no promise once one of them has a block', async () => {
  const proof = await stampByBoth();
  const promises = writeOts(proof);
  expect(withoutPendingCalendars(promises)).toEqual(promises);
  const header = await mine();
  await complete(proof, world.calendar, world.other);
  expect(isPending(proof)).toBe(true);
  expect(await judge(writeOts(proof), givenHeaders([header]))).toMatch(/^fail /);
  expect(await judge(withoutPendingCalendars(writeOts(proof)), givenHeaders([header]))).toMatch(/^pass /);
});

test('sends credentials to a node as UTF-8, and rejects malformed ones without printing them', async () => {
  const sent: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = (_, init) => {
    sent.push(new Headers(init!.headers).get('authorization'));
    return Promise.resolve(Response.json({ result: null }));
  };
  await rpcHeaders('http://user:p%E2%82%AC%25@127.0.0.1:9/', { ...PATIENCE, fetch })(1);
  expect(sent).toEqual([`Basic ${Buffer.from('user:p€%').toString('base64')}`]);
  const malformed = (): unknown => rpcHeaders('http://user:hunter2%zz@127.0.0.1:9/', PATIENCE);
  expect(malformed).toThrow(RangeError);
  expect(malformed).not.toThrow('hunter2');
});
