import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { anchorBy, type Receipt } from '@svc/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AT_FULL_COUNT } from '../../../testing/rounds.ts';
import { flipped } from './support/flipped.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { receiptVector, receiptVectors, refusedVectors } from '../../../testing/vectors/receipts.ts';
import type { ReceiptVector } from '../../../testing/vectors/receipts.ts';
import { startRpc } from '../../../testing/chain/rpc-server.ts';
import type { RpcServer } from '../../../testing/chain/rpc-server.ts';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';
import type { Given } from './support/mutated.ts';
import { byNode, byPython, givenOf, ours } from './support/verdicts.ts';

interface CommittedFiles extends Pick<ReceiptVector, 'receipt' | 'chain'> {
  name: string;
  expect: 'pass' | 'fail';
  files: Record<string, string>;
  manifest: object | null;
}

const docs = join(import.meta.dirname, '../../../docs');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const twins = { node: byNode, ...(hasPython && { python: byPython }) };
const all = { ...twins, TypeScript: async (some: Given[]) => Promise.all(some.map(ours)) };
const none = { chain_id: 1, eth_call: {} };

const vectors = receiptVectors().map(([name, vector]) => givenOf(name, vector));
const refused = refusedVectors().map(([name, { receipt, trust }]) =>
  givenOf(name, { receipt, trust, chain: none }),
);

const read = (name: string) =>
  JSON.parse(readFileSync(join(docs, `../vectors/valid/${name}.json`), 'utf8')) as ReceiptVector & {
    cases: (Record<'name' | 'expect', string> &
      Partial<Record<'file' | 'call' | 'chain_id', string>> & { status?: number })[];
  };
const files = { ...read('files'), cases: [...read('files').cases, ...read('files-utf-16').cases] };
const answers = read('answers');
const oddBytes: Given[] = [
  ...files.cases.map(({ name, file }) => ({
    ...givenOf(name, { ...files, receipt: { chain: {} } as Receipt }),
    receipt: file!,
  })),
  ...answers.cases.map(({ name, call, chain_id, status }) => {
    const given = givenOf(name, answers);
    const uid = answers.receipt.chain.attestation_uid!;
    if (call !== undefined) given.answers[uid] = { status: status ?? 200, body: call };
    if (chain_id !== undefined) given.answers['eth_chainId'] = { status: 200, body: chain_id };
    return given;
  }),
];

test.each(Object.entries(twins))(
  'the script for %s gives the expected verdict for every vector',
  async (_, by) => {
    const expected = receiptVectors().map(([name, vector]) => `${name}: ${vector.expect.overall}`);
    const found = await by(vectors);
    expect(found.map((verdict, at) => `${vectors[at]!.name}: ${verdict}`)).toEqual(expected);
    const malformed = await by(refused);
    expect(malformed.flatMap((verdict, at) => (verdict === 'fail' ? [] : [refused[at]!.name]))).toEqual([]);
  },
);

test.each(Object.entries(all))(
  '%s judges files and bodies that JSON parsers read differently',
  async (_, by) => {
    const found = await by(oddBytes);
    expect(found.map((verdict, at) => `${oddBytes[at]!.name}: ${verdict}`)).toEqual(
      [...files.cases, ...answers.cases].map(({ name, expect: said }) => `${name}: ${said}`),
    );
  },
);

const pip = ['-m', 'pip'];
const hasPip = spawnSync('python3', [...pip, '--version']).status === 0;
test.runIf(hasPip)('the Python package installs without a network and decides every vector', async () => {
  const folder = newFolder('python');
  const source = join(docs, '../verifiers/python');
  const wheel = 'import backend, sys; print(backend.build_sdist(sys.argv[1]))';
  const sdist = spawnSync('python3', ['-B', '-c', wheel, folder], { cwd: source, encoding: 'utf8' });
  for (const [at, from] of [source, join(folder, sdist.stdout.trim())].entries()) {
    const target = join(folder, `installed-${at}`);
    const install = ['install', '--no-index', '--quiet', '--target', target, from];
    const { status, stderr } = spawnSync('python3', [...pip, ...install], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const expected = receiptVectors().map(([, vector]) => vector.expect.overall);
    expect(await byPython(vectors, target)).toEqual(expected);
    expect(new Set(await byPython(refused, target))).toEqual(new Set(['fail']));
    const env = { ...process.env, PYTHONPATH: target };
    const command = spawnSync(join(target, 'bin/svc-verify-receipt'), { encoding: 'utf8', env });
    expect(command).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('verify_receipt.py receipt.json') as string,
    });
  }
});

test('all implementations agree on receipts and answers with one flipped bit', async () => {
  if (!hasPython)
    console.warn('python3 is not here: docs/verify_receipt.py was not run, its twin for Node was');
  const changed = [...flipped()].map(([name, vector]) => givenOf(name, vector));
  expect(changed.length).toBeGreaterThan(2_000);
  // flips.test.ts shows the verdict of each bit.
  const cases = changed.filter((_, at) => AT_FULL_COUNT || at % 32 === 0);
  const mine = await Promise.all(cases.map(ours));
  for (const by of Object.values(twins)) {
    const theirs = await by(cases);
    expect(
      cases.flatMap(({ name }, at) =>
        theirs[at] === mine[at] ? [] : [`${name}: ours ${mine[at]}, theirs ${theirs[at]}`],
      ),
    ).toEqual([]);
  }
});

describe.each([
  ...(hasPython ? [['python3', 'verify_receipt.py']] : []),
  [process.execPath, 'verify_receipt.mjs'],
] as [string, string][])('as a program: %s %s', (program, script) => {
  let rpc: RpcServer;
  let folder: string;
  beforeAll(async () => {
    rpc = await startRpc(none);
    folder = mkdtempSync(join(tmpdir(), 'receipt-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await rpc.close();
  });

  const write = (name: string, value: unknown): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  };
  const check = ({ receipt, chain }: ReceiptVector, ...more: string[]) =>
    run(program, [join(docs, script), write('receipt.json', receipt), rpc.add(chain), ...more]);
  const pinsOf = ({ trust }: ReceiptVector) => [
    `relayer=${trust.relayers[0]}`,
    `contract=${trust.contract}`,
    `schema=${trust.schema_uid}`,
    `chain=${trust.chain_id}`,
  ];

  test('exits with 0, 1 and 2', async () => {
    for (const [name, status, said] of [
      ['valid/receipt-instant', 0, 'PASS'],
      ['invalid/receipt-content-changed', 1, 'FAIL'],
      ['valid/receipt-pending', 2, 'WAIT'],
    ] as const) {
      const vector = receiptVector(name);
      expect(await check(vector, ...pinsOf(vector)), name).toMatchObject({
        status,
        said: expect.stringContaining(said) as string,
      });
    }
  });

  test('reads the published values from a file', async () => {
    const vector = receiptVector('valid/receipt-signed');
    const { chain_id, contract: attestation_contract, schema_uid, relayers } = vector.trust;
    const chain = { name: 'x', chain_id, attestation_contract, schema_uid, relayers, rpc_url: 'x' };
    const file = write('svc.json', { chain, promise: { keys: [] }, identity: null });
    expect((await check(vector, `trust=${file}`)).status).toBe(0);
    const other = write('svc.json', { chain: { ...chain, relayers: [`0x${'7'.repeat(40)}`] } });
    expect((await check(vector, `trust=${other}`)).status).toBe(1);
  });

  test('does not print PASS without pins, and says why', async () => {
    const vector = receiptVector('valid/receipt-instant');
    const bare = await check(vector);
    expect(bare.status).toBe(2);
    expect(bare.said.match(/not pinned/g)!.length).toBeGreaterThanOrEqual(4);
    expect(bare.said).not.toContain('PASS');
    for (const [at, left] of pinsOf(vector).entries()) {
      const { status, said } = await check(vector, ...pinsOf(vector).toSpliced(at, 1));
      expect(status, left).toBe(2);
      expect(said).toContain(`not pinned, only the receipt says so: ${left.split('=')[0]}`);
    }
  });

  test('reports a kept promise when the service shows the promised etch', async () => {
    const vector = receiptVector('valid/receipt-instant');
    const { key, promise, content } = await promiseOf(vector, 'It will rain on Sunday.');
    const etch = {
      id: vector.receipt.etch_id,
      description: 'A guess',
      category: { id: 'science' },
      mode: 'instant',
      reveal_at: null,
      challenge: null,
    };
    const judge = (shown: object | null, answer: object = { etch, promise }) =>
      check(
        ...([vector, ...pinsOf(vector), `key=${key}`, `promise=${write('answer.json', answer)}`] as const),
        ...(shown === null ? [] : [`etch=${write('etch.json', { etch: shown })}`]),
      );
    const other = await promiseOf(vector, 'It will not rain.');
    for (const [status, ...given] of [
      [0, etch],
      [0, etch, { ...promise, content }],
      [2, null],
      [2, { ...etch, description: 'Edited' }],
      [2, etch, { ...promise, content: 'x' }],
      [2, etch, other.promise],
      [1, etch, { ...other.promise, content: other.content }],
    ] as [number, object | null, object?][])
      expect(await judge(...given), JSON.stringify(given)).toMatchObject({ status });
  });

  const committed = readVector('valid/committed-files');
  test.each(committed.cases as CommittedFiles[])('checks the files of a folder: $name', async (one) => {
    const files = join(folder, 'files');
    rmSync(files, { recursive: true, force: true });
    for (const [name, text] of Object.entries(one.files)) {
      mkdirSync(dirname(join(files, name)), { recursive: true });
      writeFileSync(join(files, name), text);
    }
    const manifest = one.manifest === null ? [] : [`manifest=${write('manifest.json', one.manifest)}`];
    const vector = { ...one, trust: committed.trust } as unknown as ReceiptVector;
    const { status, said } = await check(vector, ...pinsOf(vector), `files=${files}`, ...manifest);
    expect(status, said).toBe(one.expect === 'pass' ? 0 : 1);
  });

  test('waits when the port is closed', async () => {
    const vector = receiptVector('valid/receipt-instant');
    const file = write('receipt.json', vector.receipt);
    const found = await run(program, [join(docs, script), file, 'http://127.0.0.1:9/', ...pinsOf(vector)]);
    expect(found.status).toBe(2);
  });
});

async function promiseOf({ receipt }: ReceiptVector, content: string) {
  const { keyPair } = (await import(pathToFileURL(join(docs, '../vectors/generate/rules.mjs')).href)) as {
    keyPair: (name: string) => { public_key: string; sign: (text: string) => string };
  };
  const key = keyPair('service');
  const sum = (...parts: string[]) => createHash('sha256').update(parts.join('')).digest('hex');
  const nonce = '5'.repeat(64);
  const { etch_id: id, author, hash, canonical_string: words } = receipt;
  const day = anchorBy(words!.split('|')[2]!.slice(0, 10));
  const fields = [id, author.user_id, hash, day, sum('A guess'), 'science', 'instant', '-', '-'];
  const text = ['svc-promise:v3', ...fields, sum(`svc-words:v1|${nonce}|${content}`)].join('|');
  const signature = key.sign(`svc-promises:v1|${sum('\0', text)}`);
  const promise = { text, path: [], public_key: key.public_key, signature, nonce };
  return { key: key.public_key, promise, content };
}

test.each(Object.entries(all))('%s gives the expected verdict for every promise vector', async (_, by) => {
  const base = givenOf('x', receiptVector('valid/receipt-instant'));
  const [{ promise: known }] = readVector('valid/promises').promises;
  const pins = { ...base.pins, key: [known.public_key] };
  const given = (name: string, promise: unknown): Given => ({ ...base, name, promise, pins });
  const good = readVector('valid/promises').promises.map(({ etch_id, promise }: any) =>
    given(etch_id, promise),
  ) as Given[];
  expect([...new Set(await by(good))]).toEqual(['wait']);
  const bad = invalidVectors('promise-').map(([name, { promise }]) => given(name, promise));
  expect(bad.length).toBeGreaterThan(30);
  const found = await by(bad);
  expect(found.flatMap((verdict, at) => (verdict === 'fail' ? [] : [bad[at]!.name]))).toEqual([]);
});

async function run(program: string, args: string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text) => (said += String(text)));
  const status = await new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  return { status, said };
}
