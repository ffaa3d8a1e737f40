import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { NOT_SHOWN } from '@svc/verifier/evidence';
import { describe, expect, test } from 'vitest';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { svc } from '../../../testing/clients/svc.ts';
import { useServer } from '../../../testing/machine/server.ts';
import type { ReceiptVector } from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { pins, save } from './support/saved.ts';
import { svcHere } from './support/svc-here.ts';

interface Vector extends Pick<ReceiptVector, 'trust'> {
  evidence: any;
  block_hashes: string[];
  expect: string[];
}

const vectors = readdirSync(join(import.meta.dirname, '../../../vectors/valid'))
  .filter((name) => name.startsWith('evidence-'))
  .map((name): [string, Vector] => [name, readVector(`valid/${name.replace('.json', '')}`)]);
const retracted = vectors.find(([name]) => name.includes('tree-retracted'))![1];
const hashes = ({ block_hashes }: Vector) => block_hashes.flatMap((hash) => ['--block-hash', hash]);

const asked: string[] = [];
let blocks: Record<number, string> = {};
const server = useServer((request, response) => {
  void text(request).then((body) => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: [string] };
    asked.push(method);
    const hash = blocks[Number(params[0])];
    const block = hash === undefined ? null : { hash, number: params[0] };
    const result = method === 'eth_chainId' ? '0x7a69' : method === 'eth_getBlockByNumber' ? block : null;
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});
const rpc = () => ['--rpc', `${server.url}/`];

describe('without any network', () => {
  test.each(vectors)('%s passes by the hashes of its blocks', async (_, vector) => {
    const args = ['verify', save(vector.evidence), ...pins(vector)];
    await ends(svc([...args, ...hashes(vector)], { network: false }), 0, {
      out: [
        NOT_SHOWN,
        ...['words', 'tree', 'chain'].map((title, at) => `The ${title}: ${vector.expect[at]}`),
      ],
      err: '',
      last: /^PASS: the receipt holds by its evidence, which cannot show a later revocation\. This is a development chain/,
    });
    await ends(svcHere([...args, '--rpc', 'http://127.0.0.1:9']), 2, { out: 'cannot be reached' });
  });

  test('the test has no network', async () => {
    const args = ['verify', save(retracted.evidence), ...pins(retracted), ...rpc()];
    await ends(svc(args, { network: false }), 2, { out: 'cannot be reached' });
  });

  test('passes only under trust that the reader supplies', async () => {
    await ends(svcHere(['verify', save(retracted.evidence), ...hashes(retracted)]), 2, {
      last: /^WAIT: .*which only the receipt names/,
      without: 'PASS',
    });
  });
});

describe('the source of block hashes', () => {
  const { evidence, block_hashes } = retracted;
  const verify = (args: string[], file: unknown = evidence) =>
    svcHere(['verify', save(file), ...pins(retracted), ...args]);

  test('waits without block hashes, and lists the required ones', async () => {
    await ends(verify([]), 2, {
      out: block_hashes.map((hash) => `must have the hash ${hash}: confirm it`),
    });
    expect(asked).toEqual([]);
  });

  test('asks an endpoint for block hashes only', async () => {
    const { evidence: found } = await jsonOf(verify(['--json']), 2);
    expect(found.cannot_show).toBe(NOT_SHOWN);
    blocks = Object.fromEntries(found.blocks.map(({ number, hash }: any) => [number, hash]));
    await ends(verify(rpc()), 0);
    expect(new Set(asked)).toEqual(new Set(['eth_chainId', 'eth_getBlockByNumber']));
    blocks[found.blocks[1].number] = `0x${'12'.repeat(32)}`;
    await ends(verify(rpc()), 1, { out: 'is not on the chain' });
    blocks = {};
    await ends(verify(rpc()), 2);
    await ends(verify([...rpc(), '--offline']), 2);
  });

  test('fails on hashes of other blocks, or of one of two', async () => {
    for (const hash of [`0x${'12'.repeat(32)}`, block_hashes[0]!])
      await ends(verify(['--block-hash', hash]), 1);
  });

  test('waits for a missing proof, and attributes the reason to the service', async () => {
    const wait = 'the proof is being made';
    await ends(verify(hashes(retracted), { ...evidence, tombstone: null, wait }), 2, {
      out: `The service says why a proof is missing: ${wait}.`,
    });
  });

  test('fails on a broken proof, and on a file that is not evidence', async () => {
    const broken = structuredClone(evidence);
    broken.commitment.preimage.bump = 1;
    await ends(verify(hashes(retracted), broken), 1, { out: '\nFAIL: the evidence does not hold.' });
    await ends(verify(hashes(retracted), { ...evidence, more: 1 }), 1, {
      out: '',
      err: 'FAIL: not valid evidence',
    });
  });

  test('rejects wrong usage', async () => {
    const given = ['--block-hash', block_hashes[0]!];
    await ends(verify([...given, ...rpc()]), 64);
    await ends(verify(given, evidence.receipt), 64, { err: 'requires an evidence file' });
    await ends(verify(['--block-hash', '0x12']), 64);
  });
});

describe('time stamps of an authority', () => {
  const stamped = readVector('valid/stamped-evidence') as Vector & { certificates: string };
  const verify = (args: string[], evidence: unknown = stamped.evidence) =>
    svcHere(['verify', save(evidence), ...args]);
  const trusting = ['--tsa-certificates', save(stamped.certificates)];
  const both = ['--require', 'chain,tsa'];
  const chain = [...pins(stamped), ...hashes(stamped)];

  test('each check passes, fails or waits separately, and only required checks must pass', async () => {
    await ends(verify([...chain, ...trusting, ...both]), 0, {
      out: [
        /PASS {2}The chain: revoked\n[^]*PASS {2}The time stamp: stamped\n/,
        'by the clock of O=Tests, CN=Time stamps of tests',
      ],
      err: '',
    });
    await ends(verify([...chain, ...both]), 2, { out: 'WAIT  The time stamp: unproven' });
    await ends(verify(chain), 0);
    await ends(verify([...pins(stamped), ...trusting, ...both]), 2, { out: 'PASS  The time stamp: stamped' });
    const { witnesses: _, ...bare } = stamped.evidence;
    await ends(verify([...chain, ...trusting, ...both], bare), 2, { out: 'WAIT  The time stamp: none' });
  });

  test('a required time stamp needs no chain or relayer, and the last line says so', async () => {
    const alone = [...trusting, '--require', 'tsa'];
    const { result, timestamp } = await jsonOf(verify([...alone, '--json']));
    expect([result, timestamp.verdict]).toEqual(['pass', 'pass']);
    await ends(svc(['verify', save(stamped.evidence), ...alone], { network: false }), 0, {
      out: ['WAIT  The chain: unreachable', timestamp.time],
      last: /^PASS: the hash existed by the time of its time stamp; its words were not checked, and the chain was not required/,
    });
    const other = structuredClone(stamped.evidence);
    other.receipt.inclusion.proof[0] = '12'.repeat(32);
    await ends(verify(alone, other), 1);
  });

  test('a wrong time stamp fails, required or not', async () => {
    const wrong = structuredClone(stamped.evidence);
    wrong.witnesses[0].proof = wrong.witnesses[1].proof;
    for (const more of [trusting, [], both])
      await ends(verify([...chain, ...more], wrong), 1, { out: 'FAIL  The time stamp: mismatch' });
  });

  test('rejects wrong usage', async () => {
    await ends(verify(trusting, stamped.evidence.receipt), 64, { out: '', err: 'require an evidence file' });
    await ends(verify(['--require', 'moon']), 64);
    await ends(verify(['--tsa-certificates', '/nowhere/none.pem']), 66);
    await ends(verify(['--tsa-certificates', save('')]), 66, { err: 'there is no certificate in it' });
  });
});
