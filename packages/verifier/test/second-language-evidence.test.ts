import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../testing/machine/folder.ts';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';

const docs = join(import.meta.dirname, '../../../docs');
const hasPython = spawnSync('python3', ['--version']).status === 0;

interface Pinned {
  trust?: { chain_id: number; contract: string; schema_uid: string; relayers: string[] };
  block_hashes?: string[];
}
interface Vector extends Pinned {
  about: string;
  evidence: unknown;
  former?: Pinned[];
  expect: string | string[];
}

/** Each line has the pins of the evidence, then those of each former chain, in the order in which they are used. */
const DRIVER = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify_evidence
from verify_receipt import Refused
for line in sys.stdin:
    case, used, said = json.loads(line), [], []
    def pins_of(_):
        used.append(case["pinned"][len(used)])
        trust = used[-1].get("trust")
        return trust and {"chain": [trust["chain_id"]], "contract": [trust["contract"]], "schema": [trust["schema_uid"]], "relayer": trust["relayers"]} or {}
    def knows(digest, _):
        hashes = used[-1].get("block_hashes")
        return None if hashes is None else digest in hashes
    try: verdict = verify_evidence.judge_evidence(json.dumps(case["evidence"]).encode(), pins_of, knows, lambda *words: said.append(words))[0]
    except Refused: verdict = "fail"
    former = [words[2][:4] for words in said if words[0] == "former chain:"]
    print(json.dumps([verdict, former]))
`;

function byPython(vectors: readonly Vector[]): [verdict: string, former: string[]][] {
  const input = vectors
    .map(({ evidence, trust, block_hashes, former = [] }) =>
      JSON.stringify({ evidence, pinned: [{ trust, block_hashes }, ...former] }),
    )
    .join('\n');
  const ran = spawnSync('python3', ['-B', '-c', DRIVER, docs], { input, encoding: 'utf8' });
  expect(ran.status, ran.stderr).toBe(0);
  return ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const evidenceVectors = (): Vector[] => [
  ...['tree-among-20', 'tree-retracted-among-20', 'single-among-20', 'single-retracted-among-20'].map(
    (name) => readVector(`valid/evidence-${name}`) as Vector,
  ),
  ...['stamped-evidence', 'ots'].map((name) => readVector(`valid/${name}`) as Vector),
  ...(readVector('valid/more-evidence').cases as Vector[]),
  ...(invalidVectors('evidence-').map(([, vector]) => vector) as unknown as Vector[]),
];

test.runIf(hasPython)('docs/verify_evidence.py gives the expected verdict for every evidence vector', () => {
  const vectors = evidenceVectors();
  expect(vectors.length).toBeGreaterThan(45);
  const found = byPython(vectors);
  for (const [at, { about, expect: expected }] of vectors.entries()) {
    const wanted = Array.isArray(expected) ? 'pass' : expected === 'refuse' ? 'fail' : expected;
    expect(found[at]![0], about).toBe(wanted);
  }
});

test.runIf(hasPython)('docs/verify_evidence.py decides evidence on a former chain', () => {
  const vectors = [
    ...(readVector('valid/former-chain').cases as Vector[]),
    ...(invalidVectors('former-').map(([, vector]) => vector) as unknown as Vector[]),
  ];
  const found = byPython(vectors);
  for (const [at, { about, expect: expected }] of vectors.entries())
    if (expected === 'refuse') expect(found[at], about).toEqual(['fail', []]);
    else expect(found[at]![1], about).toEqual(expected);
});

test.runIf(hasPython)('docs/verify_evidence.py exits with 0, 1, 2 and 3', () => {
  const folder = newFolder('evidence');
  const write = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  const check = ({ evidence, trust, block_hashes = [] }: Vector, ...more: string[]) => {
    const { contract: attestation_contract, ...chain } = trust!;
    const given = [
      write('evidence.json', evidence),
      `trust=${write('svc.json', { chain: { ...chain, attestation_contract } })}`,
      ...block_hashes.map((hash) => `block=${hash}`),
    ];
    const { status } = spawnSync('python3', ['-B', join(docs, 'verify_evidence.py'), ...given, ...more]);
    return status;
  };
  const vector = readVector('valid/evidence-tree-retracted-among-20') as Vector;
  expect(check(vector)).toBe(0);
  expect(check({ ...vector, block_hashes: [`0x${'7'.repeat(64)}`] })).toBe(1);
  expect(check({ ...vector, block_hashes: [] })).toBe(2);
  expect(check({ ...vector, block_hashes: [] }, 'rpc=http://127.0.0.1:9')).toBe(2);
  expect(check(readVector('valid/stamped-evidence') as Vector)).toBe(3);
});
