import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ReceiptVector,
  receiptVector,
  receiptVectors,
  refusedVectors,
} from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { lastingPort } from '../../../testing/machine/free-port.ts';
import { startServer } from '../../../testing/machine/server.ts';
import { type ChainState, type RpcServer, startRpc } from '../../../testing/chain/rpc-server.ts';
import { publish, startService, wellKnown } from './support/service.ts';
import { folderOf } from './support/folder.ts';
import { pins, save } from './support/saved.ts';
import { svc } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const STATUS = { pass: 0, fail: 1, wait: 2 };
let rpc: RpcServer;
beforeAll(async () => {
  rpc = await startRpc({ chain_id: 1, eth_call: {} });
});
afterAll(() => rpc.close());

/** One vector of every outcome; the verifier's own tests take them all. */
const outcomes = [...new Map(receiptVectors().map((one) => [JSON.stringify(one[1].expect), one])).values()];

const argsOf = (one: ReceiptVector, ...more: string[]) => [
  'verify',
  save(one.receipt),
  '--rpc',
  rpc.add(one.chain),
  ...more,
];
/** Under the trust of the vector. */
const pinned = (one: ReceiptVector, ...more: string[]) => svcHere(argsOf(one, ...pins(one), ...more));

test.each(outcomes)('%s, pinned by flags', async (_, vector) => {
  const { overall, words, batch, chain } = vector.expect;
  await ends(pinned(vector), STATUS[overall], {
    out: [`The words: ${words}`, `The tree: ${batch}`, `The chain: ${chain}`, `\n${overall.toUpperCase()}: `],
    without: 'INFO  relayer',
  });
});

test.each([
  ['valid/receipt-instant', 0],
  ['invalid/receipt-content-changed', 1],
  ['valid/receipt-pending', 2],
])('%s: the program ends with %i', async (name, status) => {
  const vector = receiptVector(name);
  const args = argsOf(vector, ...pins(vector));
  const ran = await ends(svc(args), status);
  expect(ran).toEqual(await svcHere(args));
});

test('lists the sections of a preregistration whose words make the hash', async () => {
  const { receipt } = receiptVector('valid/receipt-pending');
  const verify = async (content: string, hash?: string) => {
    const canonical_string = [...receipt.canonical_string!.split('|').slice(0, 4), content].join('|');
    hash ??= createHash('sha256').update(canonical_string).digest('hex');
    return (await svcHere(['verify', save({ ...receipt, canonical_string, hash }), '--offline'])).out;
  };
  const content = '# Hypothesis\nIt rains.\n\n# Sample\nForty days.\n\n# Design\n\n';
  expect(await verify(content)).toContain(
    'INFO  preregistration with the sections Hypothesis, Sample; missing: Design, Analysis, Exclusion rules, Stop rules\n',
  );
  expect(await verify('It rains.')).not.toContain('preregistration');
  const other = await verify(content, receipt.hash);
  expect(other).toContain('FAIL  The words');
  expect(other).not.toContain('preregistration');
});

test.each(refusedVectors().filter(([name]) => /hash|proof-too|words/.test(name)))(
  '%s fails and names the field',
  async (_, { receipt, field }) => {
    await ends(svcHere(['verify', save(receipt), '--offline']), 1, { out: '', err: field });
  },
);

describe('with the service stopped and nothing pinned', () => {
  const vector = receiptVector('valid/receipt-instant');

  const [relayer] = vector.trust.relayers;
  const verify = (...args: string[]) => svcHere(['verify', save(vector.receipt), ...args]);

  test('passes nothing, and the last line names the values that only the receipt has', async () => {
    await ends(svcHere(argsOf(vector)), 2, {
      out: [
        'AGREES  The chain: attested',
        `INFO  relayer ${relayer} comes from the receipt, not from you; pin it with --relayer`,
      ],
      last: new RegExp(
        `^WAIT: .*it holds only if ${relayer} on chain \\d+ is the right relayer, which only the receipt names`,
      ),
      without: 'PASS',
    });
  });

  test('passes nothing with only some flags: a forger can deploy a contract', async () => {
    await ends(svcHere(argsOf(vector, ...pins(vector).slice(0, 4))), 2, {
      out: /give --schema, --chain-id too, or --trust\n$/,
    });
  });

  test('passes nothing with all flags but no --rpc: a forger’s service names a lying endpoint', async () => {
    const forger = await startService();
    const url = rpc.add(vector.chain);
    const file = save(publish(forger, vector, url));
    await ends(svcHere(['verify', file, '--base-url', forger.origin, ...pins(vector)]), 2, {
      last: `WAIT: every check agrees, but it holds only if the endpoint ${url} returns the real chain, and no source that you trust names it: name an endpoint with --rpc`,
    });
    await forger.close();
  });

  test('accepts a trust file, and rejects a different file', async () => {
    const args = argsOf(vector, '--trust');
    await ends(svcHere([...args, save(wellKnown(vector, 'http://127.0.0.1:9')), '--json']), 0, {
      json: { trust: { source: 'trust', pinned: true, holds_only_if: null } },
    });
    for (const [file, expected] of [
      [save({ chain: {} }), 66],
      [save('no JSON'), 66],
      ['/nowhere/svc.json', 66],
      ['http://svc.example.org', 64],
    ] as const)
      await ends(svcHere([...args, file]), expected, { where: file });
  });

  test('adds to a PASS on a development chain that it proves nothing to others', async () => {
    const elsewhere = structuredClone(vector);
    elsewhere.receipt.chain.chain_id = elsewhere.trust.chain_id = elsewhere.chain.chain_id = 11155111;
    await ends(pinned(vector), 0, { out: /\nPASS: .*this proves nothing to others\.\n$/ });
    await ends(pinned(elsewhere), 0, { out: /\nPASS: the receipt holds\.\n$/ });
    await ends(pinned(vector, '--json'), 0, { json: { trust: { development_chain: true } } });
  });

  test('fails on a wrong relayer, contract, schema or chain id in a flag', async () => {
    const wrong = `0x${'7'.repeat(40)}`;
    for (const flags of [
      ['--relayer', wrong],
      ['--contract', wrong],
      ['--schema', `0x${'7'.repeat(64)}`],
      ['--chain-id', '5'],
    ])
      await ends(svcHere(argsOf(vector, ...flags)), 1, { out: 'trusted', where: flags[0] });
  });

  test('uses the first endpoint that has the attestation, and retries one that is not ready yet', async () => {
    const good = ['--rpc', rpc.add(vector.chain), ...pins(vector)];
    await ends(verify('--rpc', 'http://127.0.0.1:9', ...good), 0);
    const port = await lastingPort();
    // The second endpoint is queried only after the first refused, so the first starts then.
    const starting: Promise<RpcServer>[] = [];
    const second = await startServer((_, response) => {
      if (starting.length === 0) starting.push(startRpc(vector.chain, port));
      void starting[0]!.then(() => response.writeHead(503).end());
    });
    const urls = ['--rpc', `http://127.0.0.1:${port}/`, '--rpc', second.url];
    await ends(verify(...urls, ...pins(vector)), 0);
    expect(starting.length).toBeGreaterThan(0);
    await Promise.all([second.stop(), starting[0]!.then((rpcLater) => rpcLater.close())]);
  });

  test('waits when the endpoint is down, and without one names the next step', async () => {
    await ends(verify('--rpc', 'http://127.0.0.1:9'), 2, { out: 'WAIT  The chain: unreachable' });
    const receipt = { ...vector.receipt, _verify_without_etch: 'http://127.0.0.1:9/verify' };
    await ends(svcHere(['verify', save(receipt)]), 2, { out: '--rpc' });
  });

  test('--offline waits for the chain, and still fails on wrong words', async () => {
    await ends(verify('--offline'), 2, { out: 'AGREES  The words: match' });
    const bad = receiptVector('invalid/receipt-content-changed');
    await ends(svcHere(['verify', save(bad.receipt), '--offline']), 1);
  });

  test('reads standard input, and UTF-16 as PowerShell saves it', async () => {
    const chain = ['--rpc', rpc.add(vector.chain), ...pins(vector)];
    await ends(svc(['verify', '-', ...chain], { input: JSON.stringify(vector.receipt) }), 0);
    const path = save('');
    writeFileSync(path, `\uFEFF${JSON.stringify(vector.receipt)}\r\n`, 'utf16le');
    await ends(svcHere(['verify', path, ...chain]), 0, { err: '' });
  });

  test('prints the verdict as JSON', async () => {
    await ends(svcHere(argsOf(vector, '--json')), 2, {
      json: {
        result: 'wait',
        etch_id: vector.receipt.etch_id,
        not_proven: ['etch_id', 'username', 'status', 'retracted_at'],
        recomputed_hash: vector.receipt.hash,
        checks: [{ key: 'words' }, { key: 'batch' }, { key: 'chain', badge: 'attested' }],
        trust: {
          source: 'receipt',
          pinned: false,
          relayers: vector.trust.relayers,
          taken_from: { relayers: 'receipt' },
        },
      },
    });
  });
});

test('untrusted texts can neither repaint the terminal nor forge a line', async () => {
  const vector = receiptVector('valid/receipt-control-characters');
  vector.receipt.author.username = 'ada\u001b[31m\nPASS  The chain: attested\u202e\u2028\u009b';
  for (const [flags, lines] of [
    [[], 1],
    [['--json'], 0],
  ] as const) {
    const { out } = await ends(pinned(vector, ...flags), 0, { out: '\\u202e' });
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2028\u2029\u2066-\u2069]/u);
    expect(out.split('\n').filter((line) => line === 'PASS  The chain: attested')).toHaveLength(lines);
  }
});

describe('the author’s key', () => {
  const signed = receiptVectors().find(
    ([, one]) => one.receipt.signature !== null && one.expect.overall === 'pass',
  )![1];
  const unsigned = receiptVector('valid/receipt-instant');

  test('is compared only when the reader supplies it', async () => {
    const { public_key: key } = signed.receipt.signature!;
    await ends(pinned(signed), 0, {
      out: `They are signed by the key ${key.slice(0, 8)}…; nothing here ties that key to the author.`,
      without: "author's signature",
    });
    const by = (vector: ReceiptVector, given: string) => pinned(vector, '--author-key', given);
    await ends(by(signed, key.toUpperCase()), 0, { out: 'PASS  The author: signed' });
    await ends(by(signed, 'a'.repeat(64)), 1, { out: 'FAIL  The author: other-key' });
    await ends(by(unsigned, key), 2, { out: 'WAIT  The author: unsigned' });
  });

  test('marks unproven fields wherever it prints them', async () => {
    const { username } = unsigned.receipt.author;
    await ends(pinned(unsigned), 0, {
      out: `(not proven, only stated by the receipt: the etch id, the name ${username}, the status revealed)`,
    });
  });
});

describe('committed files', () => {
  interface Committed extends Pick<ReceiptVector, 'receipt' | 'trust'> {
    name: string;
    expect: 'pass' | 'fail';
    chain: ChainState;
    files: Record<string, string>;
    manifest: { files: { name: string }[] } | null;
  }
  const { cases, trust } = readVector('valid/committed-files') as { cases: Committed[] } & ReceiptVector;

  test.each(cases)('svc verify --files: $name', async (one) => {
    const manifest = one.manifest === null ? [] : ['--manifest', save(one.manifest)];
    const chain = ['--rpc', rpc.add(one.chain), ...pins({ trust })];
    const args = ['verify', save(one.receipt), ...chain, '--files', folderOf(one.files), ...manifest];
    await ends(svcHere(args), STATUS[one.expect]);
  });

  test('svc files disclose finds a name in a different Unicode form', async () => {
    const { manifest } = cases.find(({ name }) => name === 'a manifest with names apart')!;
    const kept = manifest!.files.find(({ name }) => name !== 'plan.txt')!.name;
    expect(kept).not.toBe(kept.normalize('NFC'));
    await ends(svcHere(['files', 'disclose', save(manifest), kept.normalize('NFC')]), 0, {
      json: { file: { name: kept } },
    });
  });
});
