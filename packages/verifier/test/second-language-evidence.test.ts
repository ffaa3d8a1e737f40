import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AT_FULL_COUNT } from '../../../testing/rounds.ts';
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

/** One answer for each case, which the driver reads as a line. */
function drive(driver: string, cases: readonly object[]): any[] {
  const input = cases.map((one) => JSON.stringify(one)).join('\n');
  const ran = spawnSync('python3', ['-B', '-c', driver, docs], { input, encoding: 'utf8' });
  expect(ran.status, ran.stderr).toBe(0);
  return ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const byPython = (vectors: readonly Vector[]): [verdict: string, former: string[]][] =>
  drive(
    DRIVER,
    vectors.map(({ evidence, trust, block_hashes, former = [] }) => ({
      evidence,
      pinned: [{ trust, block_hashes }, ...former],
    })),
  );

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

const STAMPS = `
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
import verify_stamps
for line in sys.stdin:
    case = json.loads(line)
    data, token = (bytes.fromhex(case[name][2:]) for name in ("data", "token"))
    trusted = verify_stamps.read_certificates(case["certificates"])
    for at in case.get("flips", [None]):
        changed = bytearray(token)
        if at is not None: changed[at] ^= 1
        try:
            found = verify_stamps.judge_stamp(bytes(changed), hashlib.sha256(data).digest(), trusted)
            print(json.dumps({"time": found["time"], "accuracy": found["accuracy"] / 1000}))
        except verify_stamps.Fault as fault: print(json.dumps(fault.kind))
`;

test.runIf(hasPython)('docs/verify_stamps.py decides every token, and every byte counts', () => {
  const valid = ['curve', 'fraction', 'older-name', 'rsa-between'].map((name) =>
    readVector(`valid/timestamp-${name}`),
  );
  const invalid = invalidVectors('timestamp-').map(([, vector]) => vector);
  expect(invalid.length).toBeGreaterThan(36);
  expect(drive(STAMPS, [...valid, ...invalid])).toEqual([
    ...valid.map(({ expect: { time, accuracy } }) => ({ time, accuracy })),
    ...invalid.map(({ fault }) => fault),
  ]);
  const token = valid.at(-1)!;
  const step = AT_FULL_COUNT ? 1 : 16;
  const flips = Array.from({ length: (token.token.length / 2 - 1) / step }, (_, at) => at * step);
  expect(flips.length).toBeGreaterThan(130);
  for (const [at, verdict] of drive(STAMPS, [{ ...token, flips }]).entries())
    expect(verdict, `byte ${flips[at]}`).toEqual(expect.any(String));
});

const CLOCKS = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify_evidence
for line in sys.stdin:
    case, said = json.loads(line), []
    certificates = [one for pem in case["certificates"] for one in verify_evidence.read_certificates(pem)]
    headers = [verify_evidence.read_header(one) for one in case["headers"]]
    evidence, pins_of, knows = json.dumps(case["evidence"]).encode(), lambda _: {}, lambda *_: None
    try: verify_evidence.judge_evidence(evidence, pins_of, knows, lambda *words: said.append(words), certificates, headers)
    except verify_evidence.Refused: pass
    print(json.dumps([words[1:] for words in said if words[0] in ("tsa:", "ots:")]))
`;

test.runIf(hasPython)('docs/verify_evidence.py combines time stamps', () => {
  const { certificates, cases } = readVector('valid/witnesses');
  const given = cases.map(({ trusted, evidence }: any) => ({
    evidence,
    headers: [],
    certificates: trusted.map((name: string) => certificates[name]),
  }));
  for (const [at, said] of drive(CLOCKS, given).entries()) {
    const { about, expect: wanted } = cases[at];
    if (wanted.badge === 'none') expect(said, about).toEqual([]);
    else expect(said[0][0], about).toBe(wanted.verdict);
    if (wanted.time !== null) expect(said[0][1], about).toContain(` ${Date.parse(wanted.time)}`);
    if (wanted.verdict === 'pass') expect(said[0][1].includes('late'), about).toBe(wanted.badge === 'late');
  }
});

test.runIf(hasPython)(
  'docs/verify_stamps.py finds the block of Bitcoin of a proof, and rejects others',
  () => {
    const { evidence, bitcoin_header: header, time } = readVector('valid/ots');
    const [{ proof }] = evidence.witnesses;
    const otherRoot = header.replace(/^(.{72})../, '$100');
    const changed = (to: string) => ({ ...evidence, witnesses: [{ ...evidence.witnesses[0], proof: to }] });
    // OpenTimestamps sorts the operations of a message, so `08` before `02` fails.
    const [start, hash] = [proof.slice(0, 2 + 33 * 2), proof.slice(2 + 33 * 2, 2 + 65 * 2)];
    const promise = '0083dfe30d2ef90c8e0c0b68747470733a2f2f612e62';
    const given = [
      [evidence, [header], 'pass'],
      [evidence, [otherRoot], 'fail'],
      [evidence, [otherRoot, header], 'pass'],
      [evidence, [], 'wait'],
      [changed(`${proof}00`), [header], 'fail'],
      [changed(proof.replace(hash, '7'.repeat(64))), [header], 'fail'],
      [changed(`${start}${hash}${promise}`), [header], 'wait'],
      [changed(`${start}${hash}ff08${promise}02${promise}`), [header], 'fail'],
      [changed(`${start}${hash}ff02${promise}08${promise}`), [header], 'wait'],
    ] as const;
    const found = drive(
      CLOCKS,
      given.map(([one, headers]) => ({ evidence: one, headers, certificates: [] })),
    );
    expect(found.map(([[verdict]]) => verdict)).toEqual(given.map(([, , verdict]) => verdict));
    expect(found[0][0][1]).toContain(` ${Date.parse(time) / 1000}`);
  },
);

const HASHES = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify_hashes
for line in sys.stdin: print(json.dumps(verify_hashes.ripemd160(json.loads(line)["text"].encode()).hex()))
`;

test.runIf(hasPython)('docs/verify_hashes.py has RIPEMD-160', () => {
  const texts = ['', 'abc', '1234567890'.repeat(8)];
  expect(
    drive(
      HASHES,
      texts.map((text) => ({ text })),
    ),
  ).toEqual(texts.map((text) => hash('ripemd160', text)));
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
  const stamped = readVector('valid/stamped-evidence');
  const ots = readVector('valid/ots');
  const authorities = (pem: string) => {
    writeFileSync(join(folder, 'authorities.pem'), pem);
    return `tsa-certificates=${join(folder, 'authorities.pem')}`;
  };
  const others = readVector('valid/timestamp-rsa-between').certificates;
  expect(check(stamped as Vector)).toBe(0);
  expect(check(stamped as Vector, authorities(stamped.certificates))).toBe(0);
  expect(check(stamped as Vector, authorities(others))).toBe(1);
  expect(check(stamped as Vector, authorities(''))).toBe(1);
  expect(check(ots as Vector, `bitcoin-header=${ots.bitcoin_header}`)).toBe(0);
  expect(check(ots as Vector, `bitcoin-header=${'0'.repeat(160)}`)).toBe(1);
  const strange = structuredClone(stamped);
  strange.evidence.witnesses[0].kind = 'strange';
  expect(check(strange as Vector)).toBe(3);
});

test.runIf(hasPython)(
  'docs/verify_opening.py checks the form and the signature, and names what it does not',
  () => {
    const folder = newFolder('opening');
    const check = (opening: unknown) => {
      writeFileSync(join(folder, 'opening.json'), JSON.stringify(opening));
      const args = ['-B', join(docs, 'verify_opening.py'), join(folder, 'opening.json')];
      const { status, stdout } = spawnSync('python3', args, { encoding: 'utf8' });
      return [status, stdout.includes('not checked: whether the ciphertext opens')];
    };
    for (const { opening } of readVector('valid/openings').openings)
      expect(check(opening)).toEqual([3, true]);
    for (const [name, { opening }] of invalidVectors('opening-'))
      // Only its words show that the hash is another one.
      expect(check(opening), name).toEqual(name.includes('of-another-hash') ? [3, true] : [1, false]);
    const [{ opening }] = readVector('valid/openings').openings;
    expect(check({ ...opening, ciphertext: '\ud800' })).toEqual([1, false]);
  },
);
