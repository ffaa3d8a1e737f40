import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receiptVector, receiptVectors, refusedVectors } from '../../../testing/vectors/receipts.ts';
import type { ReceiptVector } from '../../../testing/vectors/receipts.ts';
import { lastingPort } from '../../../testing/machine/free-port.ts';
import { startServer } from '../../../testing/machine/server.ts';
import { startRpc } from '../../../testing/chain/rpc-server.ts';
import type { RpcServer } from '../../../testing/chain/rpc-server.ts';
import { publish, startService, wellKnown } from './support/service.ts';
import { save } from './support/saved.ts';
import { svc } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const STATUS = { pass: 0, fail: 1, wait: 2 };
let rpc: RpcServer;
beforeAll(async () => {
  rpc = await startRpc({ chain_id: 1, eth_call: {} });
});
afterAll(() => rpc.close());

const pins = ({ trust }: ReceiptVector) => [
  ...trust.relayers.flatMap((relayer) => ['--relayer', relayer]),
  ...['--contract', trust.contract, '--schema', trust.schema_uid, '--chain-id', String(trust.chain_id)],
];

/** One vector of every outcome; the verifier's own tests take them all. */
const outcomes = [...new Map(receiptVectors().map((one) => [JSON.stringify(one[1].expect), one])).values()];

test.each(outcomes)('%s, pinned by flags', async (_, vector) => {
  const { status, out } = await svcHere([
    'verify',
    save(vector.receipt),
    '--rpc',
    rpc.add(vector.chain),
    ...pins(vector),
  ]);
  expect(status).toBe(STATUS[vector.expect.overall]);
  const named = { words: 'words', batch: 'tree', chain: 'chain' } as const;
  for (const key of ['words', 'batch', 'chain'] as const)
    expect(out).toContain(`The ${named[key]}: ${vector.expect[key]}`);
  expect(out).not.toContain('INFO  relayer');
  expect(out).toContain(`\n${vector.expect.overall.toUpperCase()}: `);
});

test.each([
  ['valid/receipt-instant', 0],
  ['invalid/receipt-content-changed', 1],
  ['valid/receipt-pending', 2],
])('%s: the program ends with %i', async (name, status) => {
  const vector = receiptVector(name);
  const args = ['verify', save(vector.receipt), '--rpc', rpc.add(vector.chain), ...pins(vector)];
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

  test('passes nothing, and the last line names the values that only the receipt has', async () => {
    await ends(svcHere(['verify', save(vector.receipt), '--rpc', rpc.add(vector.chain)]), 2, {
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
    const url = rpc.add(vector.chain);
    await ends(svcHere(['verify', save(vector.receipt), '--rpc', url, ...pins(vector).slice(0, 4)]), 2, {
      out: /give --schema, --chain-id too, or --trust\n$/,
    });
  });

  test('passes nothing with all flags but no --rpc: a forger’s service names a lying endpoint', async () => {
    const forger = await startService();
    const url = rpc.add(vector.chain);
    const file = save(publish(forger, vector, url));
    const { status, out } = await svcHere(['verify', file, ...pins(vector)]);
    await forger.close();
    expect({ status, last: out.trimEnd().split('\n').at(-1) }).toEqual({
      status: 2,
      last: `WAIT: every check agrees, but it holds only if the endpoint ${url} returns the real chain, and no source that you trust names it: name an endpoint with --rpc`,
    });
  });

  test('accepts a trust file, and rejects a different file', async () => {
    const trusted = save(wellKnown(vector, 'http://127.0.0.1:9'));
    const args = ['verify', save(vector.receipt), '--rpc', rpc.add(vector.chain), '--trust'];
    const { out } = await ends(svcHere([...args, trusted, '--json']), 0);
    expect(JSON.parse(out).trust).toMatchObject({ source: 'trust', pinned: true, holds_only_if: null });
    for (const [file, expected] of [
      [save({ chain: {} }), 66],
      [save('no JSON'), 66],
      ['/nowhere/svc.json', 66],
      ['http://svc.example.org', 64],
    ] as const)
      expect((await svcHere([...args, file])).status, file).toBe(expected);
  });

  test('adds to a PASS on a development chain that it proves nothing to others', async () => {
    const elsewhere = structuredClone(vector);
    elsewhere.receipt.chain.chain_id = elsewhere.trust.chain_id = elsewhere.chain.chain_id = 11155111;
    const run = (one: ReceiptVector, more: string[] = []) =>
      svcHere(['verify', save(one.receipt), '--rpc', rpc.add(one.chain), ...pins(one), ...more]);
    const [here, there, told] = await Promise.all([run(vector), run(elsewhere), run(vector, ['--json'])]);
    expect(here.out).toMatch(/\nPASS: .*this proves nothing to others\.\n$/);
    expect(there.out).toMatch(/\nPASS: the receipt holds\.\n$/);
    expect(JSON.parse(told.out).trust.development_chain).toBe(true);
  });

  test('fails on a wrong relayer, contract, schema or chain id in a flag', async () => {
    const wrong = `0x${'7'.repeat(40)}`;
    for (const flags of [
      ['--relayer', wrong],
      ['--contract', wrong],
      ['--schema', `0x${'7'.repeat(64)}`],
      ['--chain-id', '5'],
    ]) {
      const url = rpc.add(vector.chain);
      await ends(svcHere(['verify', save(vector.receipt), '--rpc', url, ...flags]), 1, {
        out: 'trusted',
        where: flags[0],
      });
    }
  });

  test('uses the first endpoint that has the attestation', async () => {
    const args = [
      'verify',
      save(vector.receipt),
      '--rpc',
      'http://127.0.0.1:9',
      '--rpc',
      rpc.add(vector.chain),
      ...pins(vector),
    ];
    expect((await svcHere(args)).status).toBe(0);
  });

  test('retries an endpoint of --rpc that is not ready yet', async () => {
    const port = await lastingPort();
    // The second endpoint is queried only after the first refused, so the first starts then.
    const starting: Promise<RpcServer>[] = [];
    const second = await startServer((_, response) => {
      if (starting.length === 0) starting.push(startRpc(vector.chain, port));
      void starting[0]!.then(() => response.writeHead(503).end());
    });
    const first = `http://127.0.0.1:${port}/`;
    const args = ['verify', save(vector.receipt), '--rpc', first, '--rpc', second.url, ...pins(vector)];
    await ends(svcHere(args), 0);
    expect(starting.length).toBeGreaterThan(0);
    await Promise.all([second.stop(), starting[0]!.then((rpcLater) => rpcLater.close())]);
  });

  test('waits when the endpoint is down', async () => {
    await ends(svcHere(['verify', save(vector.receipt), '--rpc', 'http://127.0.0.1:9']), 2, {
      out: 'WAIT  The chain: unreachable',
    });
  });

  test('waits without an endpoint and names the next step', async () => {
    const receipt = { ...vector.receipt, _verify_without_etch: 'http://127.0.0.1:9/verify' };
    await ends(svcHere(['verify', save(receipt)]), 2, { out: '--rpc' });
  });

  test('--offline waits for the chain, and still fails on wrong words', async () => {
    await ends(svcHere(['verify', save(vector.receipt), '--offline']), 2, {
      out: 'AGREES  The words: match',
    });
    const bad = receiptVector('invalid/receipt-content-changed');
    expect((await svcHere(['verify', save(bad.receipt), '--offline'])).status).toBe(1);
  });

  test('reads UTF-16, as PowerShell saves it', async () => {
    const path = save('');
    writeFileSync(path, `\uFEFF${JSON.stringify(vector.receipt)}\r\n`, 'utf16le');
    const args = ['verify', path, '--rpc', rpc.add(vector.chain), ...pins(vector)];
    expect(await svcHere(args)).toMatchObject({ status: 0, err: '' });
  });

  test('reads standard input', async () => {
    const args = ['verify', '-', '--rpc', rpc.add(vector.chain), ...pins(vector)];
    expect((await svc(args, { input: JSON.stringify(vector.receipt) })).status).toBe(0);
  });

  test('prints the verdict as JSON', async () => {
    await ends(svcHere(['verify', save(vector.receipt), '--json', '--rpc', rpc.add(vector.chain)]), 2, {
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
  for (const flags of [[], ['--json']]) {
    const { out } = await ends(
      svcHere(['verify', save(vector.receipt), '--rpc', rpc.add(vector.chain), ...pins(vector), ...flags]),
      0,
    );

    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2028\u2029\u2066-\u2069]/u);
    expect(out.split('\n').filter((line) => line === 'PASS  The chain: attested')).toHaveLength(
      flags.length === 0 ? 1 : 0,
    );
    expect(out).toContain('\\u202e');
  }
});

describe('the author’s key', () => {
  const signed = receiptVectors().find(
    ([, one]) => one.receipt.signature !== null && one.expect.overall === 'pass',
  )![1];
  const unsigned = receiptVector('valid/receipt-instant');
  const run = (vector: ReceiptVector, more: string[]) =>
    svcHere(['verify', save(vector.receipt), '--rpc', rpc.add(vector.chain), ...pins(vector), ...more]);

  test('is compared only when the reader supplies it', async () => {
    const { public_key: key } = signed.receipt.signature!;
    await ends(run(signed, []), 0, {
      out: `They are signed by the key ${key}; nothing here ties that key to the author.`,
      without: "author's signature",
    });
    const [own, other, none] = await Promise.all([
      run(signed, ['--author-key', key.toUpperCase()]),
      run(signed, ['--author-key', 'a'.repeat(64)]),
      run(unsigned, ['--author-key', key]),
    ]);
    expect(own).toMatchObject({
      status: 0,
      out: expect.stringContaining('PASS  The author: signed') as string,
    });
    expect(other).toMatchObject({
      status: 1,
      out: expect.stringContaining('FAIL  The author: other-key') as string,
    });
    expect(none).toMatchObject({
      status: 2,
      out: expect.stringContaining('WAIT  The author: unsigned') as string,
    });
  });

  test('marks unproven fields wherever it prints them', async () => {
    const { username } = unsigned.receipt.author;
    expect((await run(unsigned, [])).out).toContain(
      `(not proven, only stated by the receipt: the etch id, the name ${username}, the status revealed)`,
    );
  });
});
