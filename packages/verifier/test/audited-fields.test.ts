import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bytesToHex, etchLeaf } from '@svc/protocol';
import { expect, describe, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { AttestedTrees, boundParts, etchFault, rebuildFault, RecordComparison } from '../src/index.ts';
import type { AttestedTree, RecordedEtch } from '../src/index.ts';

interface Case {
  name: string;
  record: RecordedEtch[];
  expect: { verdict: 'pass' | 'fail'; faults: object[]; notices: object[]; checked: object[] };
}
interface Attested {
  uid: string;
  kind: 0 | 1;
  root: string;
  tree_version: 0 | 1 | 2;
  tree_size: number;
  time: number;
  revoked: boolean;
  leaves: { user_id?: string; hash: string }[];
}

const vectors = ['valid/audited-fields', 'invalid/audited-fields', 'invalid/audited-roots'].map(
  (path) => readVector(path) as { account: string; attested: Attested[]; cases: Case[] },
);
const cases = vectors.flatMap((vector) => vector.cases.map((one) => ({ ...vector, ...one })));

function audited({ account, attested, record }: (typeof cases)[number]) {
  const trees = new AttestedTrees();
  const leaves = { etches: new Map<string, string>(), tombstones: new Map<string, string>() };
  const [singles, unnamed] = [new Set<string>(), new Set<string>()];
  for (const { uid, tree_version: treeVersion, tree_size: treeSize, leaves: own, ...rest } of attested) {
    const tree: AttestedTree = { ...rest, treeVersion, treeSize, uids: [uid] };
    expect(rebuildFault(tree, own)).toBeNull();
    trees.keep(tree);
    for (const { user_id, hash } of own)
      if (treeVersion === 0) singles.add(hash);
      else if (treeVersion === 1) unnamed.add(hash);
      else if (user_id === account)
        (tree.kind === 0 ? leaves.etches : leaves.tombstones).set(hash, tree.root);
  }
  const comparison = new RecordComparison(account, trees);
  for (const etch of record) comparison.add(etch);
  return comparison.finish({ ...leaves, singles, unnamed });
}

test('a proof of an impossible length does not fold', () => {
  const { account, cases } = vectors[0]!;
  const sealed = cases[0]!.record[1]!;
  const root = bytesToHex(etchLeaf(2, account, sealed.hash));
  const faultAt = (treeSize: number) => {
    const trees = new AttestedTrees();
    trees.keep({ root, kind: 0, treeVersion: 2, treeSize, uids: ['0x1'], time: 1, revoked: false });
    const chain = { ...sealed.chain, root, proof: [], tree_size: treeSize, attestation_uid: '0x1' };
    const anchored_at = '1970-01-01T00:00:01.000Z';
    return etchFault({ ...sealed, chain: { ...chain, anchored_at } }, account, trees)?.what ?? null;
  };
  expect([1, 2, 10_000].map(faultAt)).toEqual([null, 'altered', 'altered']);
});

const checkedBy = (etch: RecordedEtch) => {
  const parts = etch.status === 'revealed' ? boundParts(etch) : null;
  return { id: etch.id, content: parts?.content ?? null, created_at: parts?.createdAt ?? null };
};

test.each(cases)('$expect.verdict: $name', (one) => {
  const { faults, notices } = audited(one);
  expect(faults.length > 0 ? 'fail' : 'pass').toBe(one.expect.verdict);
  expect(faults.map(({ detail: _, ...fault }) => fault)).toEqual(one.expect.faults);
  expect(notices).toEqual(one.expect.notices);
  expect(one.record.map(checkedBy)).toEqual(one.expect.checked);
});

describe.runIf(spawnSync('python3', ['--version']).status === 0)('docs/score.py', () => {
  test('uses only fields that the canonical string binds, in each record', () => {
    const driver = `
import json, sys
sys.path.insert(0, sys.argv[1])
import score
output = [[score.checked(etch) for etch in record] for record in json.load(sys.stdin)]
print(json.dumps([[{key: etch[key] for key in ("id", "content", "created_at")} for etch in one] for one in output]))
`;
    const docs = join(import.meta.dirname, '../../../docs');
    const input = JSON.stringify(cases.map(({ record }) => record));
    const output = execFileSync('python3', ['-B', '-c', driver, docs], { encoding: 'utf8', input });
    expect(JSON.parse(output)).toEqual(cases.map((one) => one.expect.checked));
  });
});
