import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ReceiptError } from '@svc/protocol';
import { overall } from '@svc/verifier';
import type { Trust } from '@svc/verifier';
import { blockHashes, EvidenceError, noBlocks, rpcBlocks, verifyEvidence } from '@svc/verifier/evidence';
import * as room from '@svc/verifier/evidence';
import { describe, expect, test } from 'vitest';
import { trustOf } from '../../../testing/vectors/receipts.ts';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';
import { seeded } from '../../../testing/seeded.ts';

const folder = join(import.meta.dirname, '../../../vectors/valid');
interface Vector {
  evidence: Record<'commitment' | 'tombstone', any> & { receipt: any };
  trust: Parameters<typeof trustOf>[0]['trust'];
  block_hashes: string[];
  expect: string[];
}
const vectors = readdirSync(folder)
  .filter((name) => name.startsWith('evidence-'))
  .map((name): [string, Vector] => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as Vector]);

const vectorOf = (name: string) => vectors.find(([file]) => file === `evidence-${name}-among-20.json`)![1];

const isRefusal = (error: unknown) => error instanceof EvidenceError || error instanceof ReceiptError;
/** @param hashes null: no source knows any block */
async function outcome(evidence: unknown, trust: Trust, hashes: readonly string[] | null): Promise<string> {
  try {
    return overall(await verifyEvidence(evidence, trust, hashes === null ? noBlocks : blockHashes(hashes)));
  } catch (error) {
    if (isRefusal(error)) return 'refused';
    throw error;
  }
}

test('has vectors of all four kinds', () => expect(vectors).toHaveLength(4));

test.each(vectors)('%s passes with the hashes of its blocks, and waits without them', async (_, vector) => {
  const trust = trustOf(vector);
  const found = await verifyEvidence(vector.evidence, trust, blockHashes(vector.block_hashes));
  expect(found.checks.map(({ badge }) => badge)).toEqual(vector.expect);
  expect(overall(found)).toBe('pass');
  expect(overall(await verifyEvidence(vector.evidence, trust, noBlocks))).toBe('wait');
});

interface FormerCase {
  about: string;
  evidence: object;
  former: { trust: Vector['trust']; block_hashes: string[] | null }[];
  /** the verdict of each */
  expect: string[] | 'refuse';
}
const formerCases = [
  ...(readVector('valid/former-chain').cases as FormerCase[]),
  ...invalidVectors('former-').map(([, vector]) => vector as FormerCase),
].map((one): [string, FormerCase] => [one.about, one]);

test('has vectors of former chains', () => expect(formerCases).toHaveLength(28));

test.each(formerCases)(
  'evidence on a former chain: %s',
  async (_, { evidence, former, expect: expected }) => {
    const found = async () => {
      const each = former.map(({ trust, block_hashes: hashes }, at) =>
        verifyEvidence(
          room.formerEvidence(room.parseEvidence(evidence))[at],
          trustOf({ trust }),
          hashes === null ? noBlocks : blockHashes(hashes),
        ),
      );
      return (await Promise.all(each)).map(overall);
    };
    if (expected === 'refuse') await expect(found()).rejects.toSatisfy(isRefusal);
    else {
      expect(await found()).toEqual(expected);
      expect(room.formerEvidence(room.parseEvidence(evidence))).toHaveLength(expected.length);
    }
  },
);

interface Case extends Omit<Vector, 'expect' | 'block_hashes'> {
  about: string;
  /** null: no source knows any block */
  block_hashes: string[] | null;
  expect: 'pass' | 'fail' | 'wait' | 'refuse';
}
const cases: [string, Case][] = [
  ...(invalidVectors('evidence-') as [string, Case][]),
  ...(readVector('valid/more-evidence').cases as Case[]).map((one): [string, Case] => [one.about, one]),
];

test.each(cases)('%s has the verdict that its vector names', async (_, { evidence, trust, ...vector }) => {
  const { block_hashes: hashes } = vector;
  const found = await outcome(evidence, trustOf({ trust }), hashes);
  expect(found).toBe(vector.expect === 'refuse' ? 'refused' : vector.expect);
});

const FLIPS = process.env['TEST_SOAK'] === '1' ? 100_000 : 1_000;
test(`rejects proofs with any of ${FLIPS} flipped bits`, async () => {
  const dice = seeded(20_260_506);
  const passed: string[] = [];
  for (let at = 0; at < FLIPS; at++) {
    const [name, { evidence, trust, block_hashes }] = vectors[at % vectors.length]!;
    const { commitment, tombstone } = evidence;
    const bytes = Buffer.from(JSON.stringify({ commitment, tombstone }));
    const place = dice.below(bytes.length);
    bytes[place]! ^= 1 << dice.below(8);
    let proofs: object;
    try {
      proofs = JSON.parse(bytes.toString('utf8')) as object;
    } catch {
      continue; // no file at all
    }
    const file = { _format: 'svc-evidence:v1', receipt: evidence.receipt, ...proofs };
    const found = await outcome(file, trustOf({ trust }), block_hashes);
    if (found !== 'fail' && found !== 'refused') passed.push(`${name} at ${place}: ${found}`);
  }
  expect(passed).toEqual([]);
}, 3_600_000);

describe('a proof fails with', () => {
  const OTHER_UID = `0x${'5'.repeat(64)}`;
  const vector = vectorOf('tree-retracted');
  const trust = trustOf(vector);
  const changed = (change: (evidence: Vector['evidence']) => void) => {
    const evidence = structuredClone(vector.evidence);
    change(evidence);
    return outcome(evidence, trust, vector.block_hashes);
  };
  test.each<[string, (evidence: Vector['evidence']) => void]>([
    ['a node left out', ({ commitment }) => commitment.nodes.splice(1, 1)],
    ['a node too many', ({ commitment }) => commitment.nodes.push(commitment.nodes[0])],
    ['another transaction', ({ commitment }) => commitment.transaction_index++],
    ['another log', ({ commitment }) => commitment.log++],
    ['another time', ({ commitment }) => commitment.preimage.time++],
    ['another bump', ({ commitment }) => commitment.preimage.bump++],
    ['the tombstone’s proof for the commitment', (evidence) => (evidence.commitment = evidence.tombstone)],
    ['the commitment’s proof for the tombstone', (evidence) => (evidence.tombstone = evidence.commitment)],
    ['a byte after the header', ({ commitment }) => (commitment.header += '00')],
    ['hex in upper case', ({ commitment: c }) => (c.header = c.header.toUpperCase().replace('0X', '0x'))],
    ['a field that is not known', ({ commitment }) => (commitment.more = 1)],
    ['no commitment', (evidence) => (evidence.commitment = null)],
    [
      'an attestation that the receipt does not name',
      ({ receipt }) => (receipt.chain.attestation_uid = OTHER_UID),
    ],
  ])('%s', async (_, change) => expect(['fail', 'refused']).toContain(await changed(change)));

  test('an untrusted contract, schema or relayer', async () => {
    const other = `0x${'7'.repeat(40)}`;
    for (const change of [{ contract: other }, { relayers: [other] }, { schemaUid: `0x${'7'.repeat(64)}` }])
      expect(await outcome(vector.evidence, { ...trust, ...change }, vector.block_hashes)).toBe('fail');
  });

  test('fails for a block of a different chain, and waits for an unknown block', async () => {
    for (const [, { evidence, trust: pinned, block_hashes }] of vectors)
      for (const hash of block_hashes)
        expect(await outcome(evidence, trustOf({ trust: pinned }), [hash])).toBe(
          block_hashes.length === 1 ? 'pass' : 'fail',
        );
    const answering = (result: unknown, chain = '0x7a69') => {
      const fetch = (_: unknown, { body }: RequestInit) => {
        const { method } = JSON.parse(body as string) as { method: string };
        return Promise.resolve(
          Response.json({ jsonrpc: '2.0', id: 1, result: method === 'eth_chainId' ? chain : result }),
        );
      };
      return rpcBlocks(31_337, { urls: ['http://chain.test/'], fetch: fetch as typeof globalThis.fetch });
    };
    const by = async (source: ReturnType<typeof answering>) =>
      overall(await verifyEvidence(vector.evidence, trust, source));
    expect(await by(answering({ hash: `0x${'1'.repeat(64)}` }))).toBe('fail');
    for (const result of [null, {}, 5, { hash: null }, { hash: 'x' }, { hash: `0X${'1'.repeat(64)}` }])
      expect(await by(answering(result))).toBe('wait');
    expect(await by(answering({ hash: `0x${'1'.repeat(64)}` }, '0X7a69'))).toBe('wait');
    expect(await by(answering({ hash: `0x${'1'.repeat(64)}` }, '0x1'))).toBe('wait');
    expect(await by(() => Promise.reject(new Error('down')))).toBe('wait');
  });
});

describe('witnesses', () => {
  const { evidence, trust, block_hashes } = vectorOf('tree');
  const witness = { of: 'commitment', kind: 'rfc3161', proof: '0x3000' };
  const tried = (witnesses: unknown) => outcome({ ...evidence, witnesses }, trustOf({ trust }), block_hashes);

  test('are listed by kind, known or unknown, without effect on the chain check', async () => {
    for (const kind of ['rfc3161', 'cosigned-log']) expect(await tried([{ ...witness, kind }])).toBe('pass');
    const witnesses = [witness, { ...witness, kind: 'cosigned-log' }, witness];
    const file = { ...evidence, witnesses };
    const { checks } = await verifyEvidence(file, trustOf({ trust }), blockHashes(block_hashes));
    expect(checks[2].detail).toContain('witnesses (rfc3161, cosigned-log), which this check does not use');
  });

  test('are rejected when malformed', async () => {
    const others = [
      { of: 'tombstone' },
      { of: 'words' },
      { kind: 'RFC' },
      { proof: '0x3' },
      { proof: 5 },
      { more: 1 },
    ];
    for (const change of others) expect(await tried([{ ...witness, ...change }])).toBe('refused');
    for (const none of [[], {}, null, [null], Array.from({ length: 17 }, () => witness)])
      expect(await tried(none)).toBe('refused');
  });
});

describe('the reason for a missing proof', () => {
  const reason = 'the proof is being made';

  test.each([
    ['tree', 'commitment'],
    ['tree-retracted', 'tombstone'],
    ['single-retracted', 'tombstone'],
  ] as const)('is shown for a %s file without its %s, which waits', async (name, missing) => {
    const { evidence, trust, block_hashes } = vectorOf(name);
    const file = { ...evidence, [missing]: null, wait: reason };
    const found = await verifyEvidence(file, trustOf({ trust }), blockHashes(block_hashes));
    expect(overall(found)).toBe('wait');
    expect(found.checks[2].detail).toContain(reason);
  });

  test('is rejected in a complete file, and unless it is one plain line', async () => {
    const { evidence, trust, block_hashes } = vectorOf('tree');
    const tried = (file: object) => outcome(file, trustOf({ trust }), block_hashes);
    expect(await tried({ ...evidence, wait: reason })).toBe('refused');
    for (const wait of [null, '', 5, 'two\nlines', '\u202eturned', 'x'.repeat(201)])
      expect(await tried({ ...evidence, commitment: null, wait })).toBe('refused');
    expect(await tried({ ...evidence, commitment: null })).toBe('wait');
  });
});

test('the check of receipts does not import the evidence modules', () => {
  const dist = dirname(fileURLToPath(import.meta.resolve('@svc/verifier')));
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/from ["'](\.[^"']+)["']/g))
      follow(join(dirname(file), path!));
  };
  follow(join(dist, 'index.js'));
  expect(seen.size).toBeGreaterThan(10);
  expect([...seen].filter((file) => file.includes('dist/evidence/'))).toEqual([]);
  expect(readFileSync(join(dist, 'evidence/attestation-proof.js'), 'utf8')).toContain('@svc/protocol/keccak');
});
