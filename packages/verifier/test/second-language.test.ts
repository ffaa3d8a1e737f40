import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Receipt } from '@svc/protocol';
import { overall, verifyReceipt } from '@svc/verifier';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flipped } from './support/flipped.ts';
import {
  readerOf,
  receiptVector,
  receiptVectors,
  refusedVectors,
  trustOf,
} from './support/receipt-vectors.ts';
import type { ReceiptVector } from './support/receipt-vectors.ts';
import { startRpc } from './support/rpc-server.ts';
import type { RpcServer } from './support/rpc-server.ts';

const docs = join(import.meta.dirname, '../../../docs');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const STATUS = { pass: 0, fail: 1, wait: 2 } as const;

interface Case {
  name: string;
  vector: ReceiptVector;
  /** what our verifier says, as an exit status */
  ours: number;
  url: string;
}

let rpc: RpcServer;
const cases: Case[] = [];

async function ours(vector: ReceiptVector): Promise<number> {
  try {
    return STATUS[overall(await verifyReceipt(vector.receipt, trustOf(vector), readerOf(vector)))];
  } catch (error) {
    if ((error as Error).name === 'ReceiptError') return STATUS.fail;
    throw error;
  }
}

beforeAll(async () => {
  rpc = await startRpc({ chain_id: 1, eth_call: {} });
  const all = [...receiptVectors().filter(([name]) => !name.startsWith('receipt-signature')), ...flipped()];
  for (const [name, vector] of all) {
    // The scripts take contract, schema and chain id from the receipt and are told the relayer: so are we.
    const { chain_id, attestation_contract: contract, schema_uid } = vector.receipt.chain;
    const same = { ...vector, trust: { ...vector.trust, chain_id, contract, schema_uid } };
    cases.push({ name, vector: same, ours: await ours(same), url: rpc.add(vector.chain) });
  }
}, 120_000);
afterAll(() => rpc.close());

test('there are thousands of cases, of every outcome and every size of tree', () => {
  expect(cases.length).toBeGreaterThan(2000);
  const sizes = new Set(cases.filter((c) => c.ours === 0).map((c) => c.vector.receipt.inclusion?.tree_size));
  for (const size of [...Array.from({ length: 33 }, (_, at) => at + 1), 9_999, 10_000])
    expect(sizes).toContain(size);
  for (const status of [0, 1, 2]) expect(cases.filter((c) => c.ours === status).length).toBeGreaterThan(5);
});

test('the script in Python agrees', async () => {
  // Without python3 the twin below, which takes the same steps, still holds the verifier to its word.
  if (!hasPython)
    return console.warn('python3 is not here: docs/verify_receipt.py was not run, its twin was');
  const statuses = await runPython(cases);
  expect(disagreements(statuses)).toEqual([]);
}, 300_000);

test('its twin of Node’s standard library agrees', async () => {
  const twin = await loadTwin();
  const statuses = [];
  for (const { vector, url } of cases)
    statuses.push(await twin.check(vector.receipt, url, vector.trust.relayers).catch(() => 1));
  expect(disagreements(statuses)).toEqual([]);
}, 300_000);

describe('as programs', () => {
  const programs = [
    ...(hasPython ? [['python3', 'verify_receipt.py']] : []),
    [process.execPath, 'verify_receipt.mjs'],
  ];
  test.each(programs)('%s %s exits 0, 1 and 2', async (program, script) => {
    const folder = mkdtempSync(join(tmpdir(), 'receipt-'));
    const file = join(folder, 'receipt.json');
    for (const [name, status] of [
      ['valid/receipt-instant', 0],
      ['invalid/receipt-content-changed', 1],
      ['valid/receipt-pending', 2],
    ] as const) {
      const vector = receiptVector(name);
      writeFileSync(file, JSON.stringify(vector.receipt));
      expect(await exitStatus(program, [join(docs, script), file, rpc.add(vector.chain)])).toBe(status);
    }
    rmSync(folder, { recursive: true });
  });
});

test.each([...(hasPython ? ['py'] : []), 'mjs'])(
  'pinned: what the receipt says otherwise fails (%s)',
  async (kind) => {
    const program = kind === 'py' ? 'python3' : process.execPath;
    const { receipt, chain, trust } = receiptVector('valid/receipt-signed');
    const folder = mkdtempSync(join(tmpdir(), 'receipt-'));
    const file = join(folder, 'receipt.json');
    writeFileSync(file, JSON.stringify(receipt));
    const url = rpc.add(chain);
    const check = async (...pins: string[]) => {
      let said = '';
      const args = [join(docs, `verify_receipt.${kind}`), file, url, ...pins];
      return { status: await exitStatus(program, args, (text) => (said += text)), said };
    };
    const pins = [
      `relayer=${trust.relayers[0]}`,
      `contract=${trust.contract}`,
      `schema=${trust.schema_uid}`,
      `chain=${trust.chain_id}`,
    ];
    const pinned = await check(...pins);
    expect(pinned).toMatchObject({ status: 0, said: expect.not.stringContaining('not pinned') as string });
    expect(pinned.said).toContain("not checked: the author's signature");
    expect((await check()).said.match(/not pinned/g)).toHaveLength(4);
    for (const pin of pins) expect((await check(`${pin}9`)).status, pin).toBe(1);
    rmSync(folder, { recursive: true });
  },
);

test('what is malformed passes neither', async () => {
  const url = rpc.add(receiptVector('valid/receipt-instant').chain);
  // Spelling is for the strict reader; the scripts compare values.
  const malformed = refusedVectors()
    .filter(([name]) => !/signature|prefix|upper-case/.test(name))
    .map(([name, { receipt, trust }]) => ({
      name,
      vector: { receipt, trust } as ReceiptVector,
      ours: 1,
      url,
    }));
  expect(malformed.length).toBeGreaterThan(15);
  if (hasPython) expect(await runPython(malformed)).not.toContain(STATUS.pass);
  const twin = await loadTwin();
  for (const { name, vector } of malformed)
    expect(await twin.check(vector.receipt, url, vector.trust.relayers).catch(() => 1), name).not.toBe(
      STATUS.pass,
    );
});

interface Twin {
  check(receipt: Receipt, url: string, trusted: string[]): Promise<number>;
}
const loadTwin = async () => (await import(pathToFileURL(join(docs, 'verify_receipt.mjs')).href)) as Twin;

const disagreements = (statuses: number[]) => {
  expect(statuses.length).toBe(cases.length);
  return cases.flatMap((c, i) =>
    statuses[i] === c.ours ? [] : [`${c.name}: ours ${c.ours}, theirs ${statuses[i]}`],
  );
};

/** Runs the script once for each case, all in one interpreter. */
async function runPython(some: readonly Case[]): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'receipts-'));
  const jobs = some.map(({ vector, url }, i) => {
    const file = join(folder, `${i}.json`);
    writeFileSync(file, JSON.stringify(vector.receipt));
    return [file, url, ...vector.trust.relayers];
  });
  writeFileSync(join(folder, 'jobs'), JSON.stringify({ script: join(docs, 'verify_receipt.py'), jobs }));
  const driver = `
import contextlib, io, json, sys
work = json.load(open(sys.argv[1]))
program = compile(open(work["script"]).read(), work["script"], "exec")
found = []
for job in work["jobs"]:
    sys.argv = ["verify_receipt.py", *job]
    try:
        with contextlib.redirect_stdout(io.StringIO()): exec(program, {"__name__": "__main__"})
        found.append(-1)
    except SystemExit as end: found.append(end.code if isinstance(end.code, int) else 1)
    except Exception: found.append(1)
print(json.dumps(found))
`;
  let output = '';
  const status = await exitStatus(
    'python3',
    ['-c', driver, join(folder, 'jobs')],
    (text) => (output += text),
  );
  rmSync(folder, { recursive: true });
  expect(status).toBe(0);
  return JSON.parse(output) as number[];
}

function exitStatus(program: string, args: string[], onOutput: (text: string) => void = () => undefined) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (text) => onOutput(String(text)));
  child.stderr.on('data', (text) => console.error(String(text)));
  return new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
}
