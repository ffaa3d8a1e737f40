import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  checkTlogProof,
  ML_DSA_KEY,
  parsePolicy,
  signatureLine,
  TlogError,
  verifierKey,
  writeVerifierKey,
} from '@svc/protocol/tlog';
import { expect, test } from 'vitest';
import { newFolder } from '../../../testing/machine/folder.ts';
import { seeded } from '../../../testing/seeded.ts';
import { receiptVector } from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';

const docs = join(import.meta.dirname, '../../../docs');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const vector = readVector('valid/tlog') as {
  etch: { hash: string; user_id: string };
  policy: string;
  proof: string;
  time: string;
};
const etch = { hash: vector.etch.hash, author: { user_id: vector.etch.user_id } };
const NOW = Date.parse(vector.time) / 1000;

/** A witness whose cosignatures the scripts cannot check. */
const PUBLIC = new Uint8Array(1_312).fill(7);
const quantum = writeVerifierKey('quantum.example', ML_DSA_KEY, PUBLIC);
const cosigned = `${vector.proof}${signatureLine(verifierKey('quantum.example', ML_DSA_KEY, PUBLIC), new Uint8Array(2_428).fill(1))}\n`;
const policyWith = (key: string, quorum: string) =>
  vector.policy.replace(/group[^]*/, `witness quantum ${key}\n${quorum}\n`);

/** In base64. */
interface Case {
  proof: string;
  policy: string;
}
const caseOf = (proof: Buffer | string, policy: Buffer | string): Case => ({
  proof: Buffer.from(proof).toString('base64'),
  policy: Buffer.from(policy).toString('base64'),
});
const bytes = (base64: string) => Buffer.from(base64, 'base64');

function ours({ proof, policy }: Case): string {
  const decode = (data: string) =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes(data));
  try {
    const named = { hash: etch.hash, userId: etch.author.user_id, kind: 0 as const };
    return String(checkTlogProof(decode(proof), named, parsePolicy(decode(policy)), NOW + 60).time);
  } catch (error) {
    if (
      error instanceof TlogError ||
      (error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    )
      return 'fail';
    throw error;
  }
}

interface Twin {
  checkLog(receipt: typeof etch, proof: Buffer, policy: Buffer, now: number): number | null;
  Refused: new () => Error;
}

async function byNode(cases: readonly Case[]): Promise<string[]> {
  const twin = (await import(pathToFileURL(join(docs, 'verify_receipt.mjs')).href)) as Twin;
  return cases.map(({ proof, policy }) => {
    try {
      return String(twin.checkLog(etch, bytes(proof), bytes(policy), NOW));
    } catch (error) {
      if (error instanceof twin.Refused) return 'fail';
      throw error;
    }
  });
}

const DRIVER = `
import base64, json, sys
sys.path.insert(0, sys.argv[1])
import verify_receipt
etch, now = json.loads(sys.argv[2]), float(sys.argv[3])
for line in sys.stdin:
    case = json.loads(line)
    try: seen = verify_receipt.check_log(etch, base64.b64decode(case["proof"]), base64.b64decode(case["policy"]), now)
    except verify_receipt.Refused: seen = "fail"
    print("null" if seen is None else seen)
`;

function byPython(cases: readonly Case[]): Promise<string[]> {
  const input = cases.map((one) => `${JSON.stringify(one)}\n`).join('');
  const args = ['-B', '-c', DRIVER, docs, JSON.stringify(etch), String(NOW)];
  const { stdout, stderr, status } = spawnSync('python3', args, { input, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return Promise.resolve(stdout.trim().split('\n'));
}

test.each(Object.entries({ node: byNode, ...(hasPython && { python: byPython }) }))(
  'the script for %s and ours agree on proofs and policies of the log of trees',
  async (_, by) => {
    const { proof, policy } = vector;
    const [log, one, two] = policy.split('\n');
    const quorums = [
      'quorum none',
      'quorum one',
      'group any any one two\nquorum any',
      'group g 2 one two\ngroup h all g\nquorum h',
      'group g 3 one two\nquorum g',
      'group g all one one\nquorum g',
      'group none any one\nquorum none',
      'quorum three',
      'quorum one\nquorum two',
      'quorum',
      '',
    ].map((quorum) => `${log}\n${one}\n\t${two} \n# a comment\n${quorum}\n`);
    const dice = seeded(4_517);
    const cases = [
      caseOf(proof, policy),
      ...quorums.map((text) => caseOf(proof, text)),
      ...['none', 'two', 'quantum'].map((name) => caseOf(proof, policyWith(quantum, `quorum ${name}`))),
      ...[quantum.slice(0, -4), quantum.replace('+', '+0'), `${quantum}=`].map((key) =>
        caseOf(proof, policyWith(key, 'quorum one')),
      ),
      caseOf(proof, `${log!.replace(/ .*/, ` ${quantum}`)}\nquorum none\n`),
      caseOf(proof, `${log}\n${log}\nquorum none\n`),
      caseOf(proof, `${one}\n${two}\nquorum none\n`),
      caseOf(proof.replace('\n70\n', '\n070\n'), policy),
      caseOf(proof.replace(/\u2014 two[^\n]*\n/u, ''), policy),
      ...Array.from({ length: 400 }, () => caseOf(dice.spoil(Buffer.from(proof)), policy)),
      ...Array.from({ length: 100 }, () => caseOf(proof, dice.spoil(Buffer.from(policy)))),
    ];
    const mine = cases.map(ours);
    expect(mine.slice(0, 5)).toEqual([String(NOW), '0', String(NOW - 60), String(NOW - 60), String(NOW)]);
    expect(new Set(mine)).toContain('null');
    expect(await by(cases)).toEqual(mine);
  },
);

test.each(Object.entries({ node: byNode, ...(hasPython && { python: byPython }) }))(
  'the script for %s gives the verdict of each vector',
  async (_, by) => {
    const { cases } = readVector('valid/tlog-forms') as {
      cases: (Case & { verdict: string; time: number })[];
    };
    expect(await by(cases.map(({ proof, policy }) => caseOf(proof, policy)))).toEqual(
      cases.map(({ verdict, time }) => (verdict === 'fail' ? 'fail' : String(time))),
    );
  },
);

test.each(Object.entries({ node: byNode, ...(hasPython && { python: byPython }) }))(
  'the script for %s counts no cosignature that it cannot check',
  async (_, by) => {
    const all = 'group all 2 one two\ngroup most 2 all quantum\nquorum most';
    const any = 'group any any one quantum\nquorum any';
    const cases = ['quorum one', any, 'quorum quantum', all].map((quorum) =>
      caseOf(cosigned, policyWith(quantum, quorum)),
    );
    expect(await by(cases)).toEqual([String(NOW - 60), String(NOW - 60), 'null', 'null']);
    // The log's own signature is still required.
    const unsigned = cosigned.replace(/\u2014 svc\.example[^\n]*\n/u, '');
    expect(await by([caseOf(unsigned, policyWith(quantum, 'quorum one'))])).toEqual(['fail']);
  },
);

test.each([
  ...(hasPython ? [['python3', 'verify_receipt.py']] : []),
  [process.execPath, 'verify_receipt.mjs'],
])('%s %s reads a proof and a policy from files', (program, script) => {
  const { receipt, trust } = receiptVector('valid/receipt-instant');
  const folder = newFolder('tlog-sample');
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const pins = { relayer: trust.relayers[0], contract: trust.contract, schema: trust.schema_uid };
  const check = (proof: string, policy: string) =>
    spawnSync(
      program,
      [
        join(docs, script),
        write('receipt.json', JSON.stringify(receipt)),
        'http://127.0.0.1:9/',
        ...Object.entries({ ...pins, chain: trust.chain_id }).map(([name, value]) => `${name}=${value}`),
        `tlog=${write('etch.tlog-proof', proof)}`,
        `policy=${write('policy', policy)}`,
      ],
      { encoding: 'utf8' },
    );
  // No chain answers, so nothing passes.
  expect(check(vector.proof, vector.policy)).toMatchObject({ status: 2 });
  expect(check(vector.proof.replace('\n70\n', '\n71\n'), vector.policy)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('FAIL') as string,
  });
  const unchecked = 'not checked, and not counted: the ML-DSA-44 cosignature of quantum\n';
  expect(check(cosigned, policyWith(quantum, 'quorum quantum'))).toMatchObject({
    status: 2,
    stdout: expect.stringMatching(
      new RegExp(`${unchecked}the checked cosignatures do not reach the quorum of the policy\n`),
    ) as string,
  });
});
