import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bytesToHex,
  canonicalString,
  encodeAttestationData,
  etchHash,
  etchLeaf,
  foldProof,
  hexToBytes,
  type Receipt,
} from '@svc/protocol';
import { type Evidence, parseEvidence } from '@svc/verifier/evidence';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Calendar, type CalendarFault, startCalendar } from '../../../testing/calendar/calendar.ts';
import { hasOracle, readByOracle, type Reading } from '../../../testing/calendar/oracle.ts';
import { rounds } from '../../../testing/rounds.ts';
import { seeded } from '../../../testing/seeded.ts';
import {
  attestationsOf,
  checkOts,
  completeProof,
  exportOts,
  finished,
  givenHeaders,
  type HeaderSource,
  isPending,
  mergeInto,
  noHeaders,
  readHeader,
  readOts,
  rpcHeaders,
  stampDigest,
  type Timestamp,
  TimestampError,
  writeOts,
} from '../src/ots/index.ts';

// Debian's library checks the same files where it is installed.
const { evidence: bare, ...vectorOfEvidence } = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../../../vectors/valid/evidence-tree-retracted-among-20.json'),
    'utf8',
  ),
) as { evidence: Evidence };
const PATIENCE = { timeoutMs: 20_000 };
const BLOCK_TIME = 2_000_000_000;

let calendar: Calendar;
let other: Calendar;
beforeAll(async () => {
  [calendar, other] = await Promise.all([startCalendar(), startCalendar()]);
});
afterEach(() => Promise.all([calendar, other].map((one) => one.fail('none'))));
afterAll(() => Promise.all([calendar, other].map((one) => one.stop())));

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const dataOf = ({ inclusion, hash }: Receipt, kind: 0 | 1 = 0, of = inclusion) =>
  encodeAttestationData({
    ...{ root: hexToBytes(of?.root ?? hash), kind },
    ...{ treeVersion: of?.tree_version ?? 0, treeSize: of?.tree_size ?? 1 },
  });
const digest = sha256(dataOf(bare.receipt));
const withProofs = (...proofs: readonly Uint8Array[]) => ({
  ...bare,
  witnesses: proofs.map((proof) => ({ of: 'commitment', kind: 'ots', proof: `0x${bytesToHex(proof)}` })),
});
const check = (file: unknown, headers: HeaderSource) => checkOts(parseEvidence(file), headers);

/** The header of the block with the newest promise. */
const blockOf = async (one: Calendar): Promise<string> => (await one.mine(BLOCK_TIME)).at(-1)!.header;

async function mined(of: Uint8Array = digest): Promise<{ proof: Uint8Array; header: string }> {
  const proof = await stampDigest(calendar.url, of, PATIENCE);
  const header = await blockOf(calendar);
  expect(await completeProof(proof, [calendar.url], PATIENCE)).toEqual([]);
  return { proof: writeOts(proof), header };
}

test('waits for the block of a calendar, then passes by its header, given or from a node', async () => {
  expect(await check(bare, noHeaders)).toMatchObject({ verdict: 'wait', badge: 'none', time: null });
  const promise = await stampDigest(calendar.url, digest, PATIENCE);
  expect(await check(withProofs(writeOts(promise)), noHeaders)).toMatchObject({
    verdict: 'wait',
    badge: 'pending',
  });
  await completeProof(promise, [calendar.url], PATIENCE);
  expect(isPending(promise)).toBe(true);
  const { proof, header } = await mined();
  const file = withProofs(proof);
  const unproven = await check(file, noHeaders);
  expect(unproven).toMatchObject({ verdict: 'wait', badge: 'unproven', time: null });
  const root = Buffer.from(readHeader(header).merkleRoot).reverse().toString('hex');
  expect(unproven.evidence.map(({ value }) => value)).toContain(root);
  for (const headers of [
    givenHeaders([header]),
    givenHeaders(['00'.repeat(80), header]),
    rpcHeaders(calendar.bitcoinRpc, PATIENCE),
  ]) {
    const found = await check(file, headers);
    expect(found).toMatchObject({ verdict: 'pass', badge: 'attested', time: '2033-05-18T03:33:20.000Z' });
    expect(found.detail).toContain('It existed by 2033-05-18T03:33:20.000Z');
    expect(found.evidence[0]!.value).toBe(readHeader(header).hash);
  }
});

test('fails with a different header, and waits for a node that does not answer', async () => {
  const { proof } = await mined();
  const { header: another } = await mined();
  const file = withProofs(proof);
  expect(await check(file, givenHeaders([another]))).toMatchObject({ verdict: 'fail', badge: 'mismatch' });
  expect(await check(file, rpcHeaders(other.bitcoinRpc, PATIENCE))).toMatchObject({
    verdict: 'wait',
    badge: 'unproven',
  });
  expect(await check(file, rpcHeaders('http://127.0.0.1:9/', PATIENCE))).toMatchObject({ verdict: 'wait' });
});

test('fails with a proof of a different tree, and with a block that is older than the words', async () => {
  const { proof, header } = await mined(sha256(dataOf(bare.receipt, 1)));
  expect(await check(withProofs(proof), givenHeaders([header]))).toMatchObject({ verdict: 'fail' });

  const old = Buffer.from((await mined()).header, 'hex');
  old.writeUInt32LE(1_600_000_000, 68);
  const canonical_string = canonicalString({
    ...{ userId: bare.receipt.author.user_id, createdAt: '2030-01-01T00:00:00.000Z' },
    ...{ salt: 'ab'.repeat(32), content: 'words' },
  });
  const hash = etchHash(canonical_string);
  const receipt = {
    ...bare.receipt,
    ...{ status: 'revealed', canonical_string, hash, inclusion: null, revocation: null },
    chain: { ...bare.receipt.chain, expect_onchain: hash, kind: null, tree_version: null },
  } as Receipt;
  const of = await mined(sha256(dataOf(receipt)));
  const fresh = Buffer.from(of.header, 'hex');
  const file = { ...withProofs(of.proof), receipt, tombstone: null };
  expect(await check(file, givenHeaders([fresh.toString('hex')]))).toMatchObject({ verdict: 'pass' });
  fresh.writeUInt32LE(1_600_000_000, 68);
  expect(await check(file, givenHeaders([fresh.toString('hex')]))).toMatchObject({
    ...{ verdict: 'fail', badge: 'mismatch' },
    detail: expect.stringContaining('is older than the stated time'),
  });
});

test('the proof of a tombstone is reported, and fails if its block has a different root', async () => {
  const { revocation } = bare.receipt;
  const tree = revocation as unknown as Receipt['inclusion'];
  const first = await mined();
  const second = await mined(sha256(dataOf(bare.receipt, 1, tree)));
  const file = withProofs(first.proof, second.proof);
  file.witnesses[1]!.of = 'tombstone';
  const node = rpcHeaders(calendar.bitcoinRpc, PATIENCE);
  const found = await check(file, node);
  expect(found).toMatchObject({ verdict: 'pass' });
  expect(found.detail).toContain('Its retraction existed by');
  expect((await check(file, givenHeaders([first.header]))).verdict).toBe('pass');
  const wrong = readOts(second.proof);
  for (const { attestation } of attestationsOf(wrong))
    if (attestation.kind === 'bitcoin') attestation.height = 900_000;
  file.witnesses[1]!.proof = `0x${bytesToHex(writeOts(wrong))}`;
  expect(await check(file, node)).toMatchObject({ verdict: 'fail', badge: 'mismatch' });
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
    await calendar.fail(fault);
    const error = await stampDigest(calendar.url, digest, PATIENCE).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(TimestampError);
    expect(error).toMatchObject({ fault: expected });
  });
  test.each(FAULTS)('leaves the promise as it is: %s', async (fault, expected) => {
    const proof = await stampDigest(calendar.url, digest, PATIENCE);
    const before = writeOts(proof);
    await calendar.mine(BLOCK_TIME);
    await calendar.fail(fault);
    expect(await completeProof(proof, [calendar.url], PATIENCE)).toMatchObject([
      { fault: { fault: expected } },
    ]);
    expect(writeOts(proof)).toEqual(before);
  });

  test('gives up on a slow answer', async () => {
    await calendar.fail('slow');
    const error = await stampDigest(calendar.url, digest, { timeoutMs: 50 }).catch((one: unknown) => one);
    expect(error).toMatchObject({ fault: 'unreachable' });
  });

  test('a block that does not have the digest never passes, alone or next to another proof', async () => {
    const honest = await stampDigest(other.url, digest, PATIENCE);
    const proof = await stampDigest(calendar.url, digest, PATIENCE);
    await calendar.mine(BLOCK_TIME);
    await calendar.fail('lie');
    await completeProof(proof, [calendar.url], PATIENCE);
    const node = rpcHeaders(calendar.bitcoinRpc, PATIENCE);
    expect(await check(withProofs(writeOts(proof)), node)).toMatchObject({
      verdict: 'fail',
      badge: 'mismatch',
    });
    const header = await blockOf(other);
    mergeInto(proof, honest);
    await completeProof(proof, [other.url], PATIENCE);
    expect(await check(withProofs(writeOts(proof)), givenHeaders([header]))).toMatchObject({
      verdict: 'pass',
    });
  });

  test('is read only at the address that the reader names', async () => {
    const proof = await stampDigest(calendar.url, digest, PATIENCE);
    const before = await calendar.seen();
    expect(await completeProof(proof, [other.url], PATIENCE)).toEqual([]);
    expect(await calendar.seen()).toBe(before);
  });
});

test('keeps a proof readable when two calendars answer with too many operations together', async () => {
  const proof = await stampDigest(calendar.url, digest, PATIENCE);
  mergeInto(proof, await stampDigest(other.url, digest, PATIENCE));
  await Promise.all([calendar, other].map((one) => one.mine(BLOCK_TIME)));
  await Promise.all([calendar, other].map((one) => one.fail('wide')));
  expect(await completeProof(proof, [calendar.url, other.url], PATIENCE)).toMatchObject([
    { fault: { fault: 'malformed' } },
  ]);
  const kinds = attestationsOf(readOts(writeOts(proof))).map(({ attestation }) => attestation.kind);
  expect(kinds.toSorted()).toEqual(['bitcoin', 'bitcoin', 'bitcoin', 'bitcoin', 'pending']);
});

test('drops attestations of kinds that it does not know', async () => {
  await calendar.fail('future');
  const { proof } = await mined();
  expect(attestationsOf(readOts(proof)).map(({ attestation }) => attestation.kind)).toEqual(['bitcoin']);
});

test('evidence of two calendars has no promise once one of them has a block', async () => {
  const proof = await stampDigest(calendar.url, digest, PATIENCE);
  mergeInto(proof, await stampDigest(other.url, digest, PATIENCE));
  const promises = writeOts(proof);
  expect(finished(promises)).toEqual(promises);
  const header = await blockOf(calendar);
  await completeProof(proof, [calendar.url, other.url], PATIENCE);
  expect(isPending(proof)).toBe(true);
  expect(await check(withProofs(writeOts(proof)), givenHeaders([header]))).toMatchObject({ verdict: 'fail' });
  expect(await check(withProofs(finished(writeOts(proof))), givenHeaders([header]))).toMatchObject({
    verdict: 'pass',
  });
});

/** Without a tree and of both tree versions, with siblings on both sides. */
function receipts(): [string, Receipt][] {
  const { user_id: userId } = bare.receipt.author;
  const content = { userId, createdAt: '2030-01-01T00:00:00.000Z', salt: 'ab'.repeat(32), content: 'words' };
  const canonical_string = canonicalString(content);
  const hash = etchHash(canonical_string);
  const alone = { ...bare.receipt, canonical_string, hash, inclusion: null } as Receipt;
  const proof = ['00'.repeat(32), 'ff'.repeat(32), '77'.repeat(32), 'fe'.repeat(32)];
  const trees = ([1, 2] as const).map((version): [string, Receipt] => {
    const root = bytesToHex(foldProof(etchLeaf(version, userId, hash), proof.map(hexToBytes)));
    const inclusion = { root, proof, tree_version: version, tree_size: 16 } as Receipt['inclusion'];
    return [`tree version ${version}`, { ...alone, inclusion }];
  });
  return [['no tree', alone], ...trees];
}

describe('an exported file', () => {
  test.each(receipts())('leads from the canonical string to the block: %s', async (_, receipt) => {
    const { proof, header } = await mined(sha256(dataOf(receipt)));
    const file = exportOts(receipt, proof);
    const read = readOts(file);
    expect(bytesToHex(read.message)).toBe(bytesToHex(sha256(Buffer.from(receipt.canonical_string!))));
    const [leaf] = attestationsOf(read);
    expect(leaf!.node.message).toEqual(readHeader(header).merkleRoot);
    if (hasOracle)
      expect(readByOracle([file], [header])).toMatchObject([{ digest: receipt.hash, times: [BLOCK_TIME] }]);
    expect(writeOts(read)).toEqual(file);
  });

  test('rejects the proof of a different tree', async () => {
    const { proof } = await mined(sha256(Buffer.of(1)));
    expect(() => exportOts(bare.receipt, proof)).toThrow('the proof is of a different tree');
  });
});

describe('the vector', () => {
  const path = join(import.meta.dirname, '../../../vectors/valid/ots.json');
  test.runIf(process.env['WRITE_VECTORS'] === '1')('is written', async () => {
    const { proof, header } = await mined();
    const vector = {
      about: 'evidence with an OpenTimestamps proof, and the .ots file of its etch',
      ...vectorOfEvidence,
      evidence: withProofs(proof),
      bitcoin_header: header,
      time: '2033-05-18T03:33:20.000Z',
      exported: bytesToHex(exportOts(bare.receipt, proof)),
    };
    writeFileSync(path, `${JSON.stringify(vector, null, 1)}\n`);
  });

  test('passes by its header, and its exported file leads to the same block', async () => {
    const { evidence, bitcoin_header: header, time, exported } = JSON.parse(readFileSync(path, 'utf8'));
    expect(await check(evidence, givenHeaders([header]))).toMatchObject({ verdict: 'pass', time });
    const proof = hexToBytes(evidence.witnesses[0].proof.slice(2));
    expect(bytesToHex(exportOts(evidence.receipt, proof))).toBe(exported);
    if (hasOracle)
      expect(readByOracle([hexToBytes(exported)], [header])).toMatchObject([
        { digest: evidence.receipt.hash, times: [Date.parse(time) / 1000] },
      ]);
  });
});

test('refuses every changed byte', async () => {
  const { proof } = await mined();
  const node = rpcHeaders(calendar.bitcoinRpc, PATIENCE);
  const dice = seeded(20_261_127);
  const kept = new Map<number, ReturnType<HeaderSource>>();
  const headers: HeaderSource = (height) => {
    const answer = kept.get(height) ?? node(height);
    kept.set(height, answer);
    return answer;
  };
  for (let round = 0; round < rounds(1_000, 100_000); round++) {
    const flipped = Buffer.from(proof);
    const at = dice.below(flipped.length);
    flipped[at]! ^= 1 + dice.below(255);
    const { verdict } = await check(withProofs(flipped), headers);
    expect(verdict, `byte ${at} as ${flipped[at]}`).not.toBe('pass');
  }
});

function attestedAt(heights: readonly number[]): Uint8Array {
  return writeOts({
    message: digest,
    attestations: heights.map((height) => ({ kind: 'bitcoin', height })),
    steps: [],
  });
}

test('counts attestations as operations', () => {
  const heights = Array.from({ length: 1025 }, (_, height) => height);
  expect(attestationsOf(readOts(attestedAt(heights.slice(1))))).toHaveLength(1024);
  expect(() => readOts(attestedAt(heights))).toThrow('more than 1024 operations');
});

test('reads the header of a height once for all proofs of a file', async () => {
  const heights: number[] = [];
  const headers: HeaderSource = (height) => {
    heights.push(height);
    return noHeaders(height);
  };
  const again = sha256(digest);
  const twice = writeOts({
    message: digest,
    attestations: [{ kind: 'bitcoin', height: 7 }],
    steps: [
      {
        operation: { tag: 0x08, argument: new Uint8Array() },
        next: { message: again, attestations: [{ kind: 'bitcoin', height: 7 }], steps: [] },
      },
    ],
  });
  await check(withProofs(twice, attestedAt([7, 8])), headers);
  expect(heights.toSorted()).toEqual([7, 8]);
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

function readHere(file: Uint8Array, headers: readonly string[]): Reading {
  let read: Timestamp;
  try {
    read = readOts(file);
  } catch (error) {
    if (error instanceof TimestampError) return null;
    throw error;
  }
  const found = attestationsOf(read);
  const roots = headers.map(readHeader);
  return {
    digest: bytesToHex(read.message),
    attestations: found
      .map(({ node, attestation: one }) => {
        const name = one.kind === 'bitcoin' ? ` ${one.height}` : one.kind === 'pending' ? ` ${one.uri}` : '';
        return `${bytesToHex(node.message)} ${one.kind}${name}`;
      })
      .toSorted(),
    times: found.flatMap(({ node, attestation }) =>
      attestation.kind === 'bitcoin'
        ? roots
            .filter(({ merkleRoot }) => bytesToHex(merkleRoot) === bytesToHex(node.message))
            .map(({ time }) => time)
        : [],
    ),
  };
}

test.runIf(hasOracle)('reads changed files as the official library does', async () => {
  const proof = await stampDigest(calendar.url, digest, PATIENCE);
  mergeInto(proof, await stampDigest(other.url, digest, PATIENCE));
  const header = await blockOf(calendar);
  await completeProof(proof, [calendar.url], PATIENCE);
  const whole = Buffer.from(exportOts(bare.receipt, writeOts(proof)));
  const dice = seeded(45);
  const files: Buffer[] = [whole];
  for (let round = 0; round < rounds(1_000, 100_000); round++)
    files.push(dice.chance(2) ? dice.spoil(whole) : dice.spoil(dice.spoil(whole)));
  const theirs = readByOracle(files, [header]);
  expect(theirs[0]!.times).toEqual([BLOCK_TIME]);
  for (const [at, file] of files.entries())
    expect(readHere(file, [header]), file.toString('hex')).toEqual(theirs[at]);
});
