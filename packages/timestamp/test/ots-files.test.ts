import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, etchLeaf, foldProof, hexToBytes, type Receipt } from '@svc/protocol';
import { describe, expect, test } from 'vitest';
import { hasOracle, readByOracle, type Reading } from '../../../testing/calendar/oracle.ts';
import { rounds } from '../../../testing/rounds.ts';
import { seeded } from '../../../testing/seeded.ts';
import {
  attestationsOf,
  exportOts,
  givenHeaders,
  type HeaderSource,
  mergeInto,
  noHeaders,
  readHeader,
  readOts,
  type Timestamp,
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
  receiptOf,
  sha256,
  useCalendars,
  vectorOfEvidence,
  withProofs,
} from './support/ots.ts';

// Debian's library checks the same files where it is installed.
const world = useCalendars();

/** Without a tree and of both tree versions, with siblings on both sides. */
function receipts(): [string, Receipt][] {
  const alone = receiptOf('2030-01-01T00:00:00.000Z');
  const proof = ['00'.repeat(32), 'ff'.repeat(32), '77'.repeat(32), 'fe'.repeat(32)];
  const trees = ([1, 2] as const).map((version): [string, Receipt] => {
    const leaf = etchLeaf(version, alone.author.user_id, alone.hash);
    const root = bytesToHex(foldProof(leaf, proof.map(hexToBytes)));
    const inclusion = { root, proof, tree_version: version, tree_size: 16 } as Receipt['inclusion'];
    return [`tree version ${version}`, { ...alone, inclusion }];
  });
  return [['no tree', alone], ...trees];
}

describe('an exported file', () => {
  test.each(receipts())('leads from the canonical string to the block: %s', async (_, receipt) => {
    const { proof, header } = await world.mined(sha256(dataOf(receipt)));
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
    const { proof } = await world.mined(sha256(Buffer.of(1)));
    expect(() => exportOts(bare.receipt, proof)).toThrow('the proof is of a different tree');
  });
});

describe('the vector', () => {
  const path = join(import.meta.dirname, '../../../vectors/valid/ots.json');
  test.runIf(process.env['WRITE_VECTORS'] === '1')('is written', async () => {
    const { proof, header } = await world.mined();
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
  const { proof } = await world.mined();
  const node = world.node();
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
    expect(await judge(flipped, headers), `byte ${at} as ${flipped[at]}`).not.toMatch(/^pass/);
  }
});

function attestedAt(heights: readonly number[]): Uint8Array {
  const attestations = heights.map((height) => ({ kind: 'bitcoin' as const, height }));
  return writeOts({ message: digest, attestations, steps: [] });
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
  const attestations = [{ kind: 'bitcoin', height: 7 } as const];
  const next = { message: sha256(digest), attestations, steps: [] };
  const operation = { tag: 0x08, argument: new Uint8Array() };
  const twice = writeOts({ message: digest, attestations, steps: [{ operation, next }] });
  await check(withProofs(twice, attestedAt([7, 8])), headers);
  expect(heights.toSorted()).toEqual([7, 8]);
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
  const proof = await world.stamp();
  mergeInto(proof, await world.stamp(digest, world.other));
  const header = await world.mine();
  await world.complete(proof);
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
