import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { NOT_SHOWN } from '@svc/verifier/evidence';
import { beforeAll, describe, expect, test } from 'vitest';
import { useServer } from '../../../testing/machine/server.ts';
import { svcHere } from './support/svc-here.ts';
import { freshHome, svc } from '../../../testing/clients/svc.ts';
import { ends } from '../../../testing/clients/ends.ts';

interface Vector {
  evidence: any;
  trust: { chain_id: number; contract: string; schema_uid: string; relayers: string[] };
  block_hashes: string[];
  expect: string[];
}

const folder = join(import.meta.dirname, '../../../vectors/valid');
const vectors = readdirSync(folder)
  .filter((name) => name.startsWith('evidence-'))
  .map((name): [string, Vector] => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as Vector]);
const retracted = vectors.find(([name]) => name.includes('tree-retracted'))![1];
const home = freshHome();

let files = 0;
function save(value: unknown): string {
  const path = join(home, `${files++}.json`);
  writeFileSync(path, JSON.stringify(value));
  return path;
}
const pins = ({ trust }: Vector) => [
  ...trust.relayers.flatMap((relayer) => ['--relayer', relayer]),
  ...['--contract', trust.contract, '--schema', trust.schema_uid, '--chain-id', String(trust.chain_id)],
];
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
let rpc = '';
beforeAll(async () => {
  rpc = `${server.url}/`;
});

describe('without any network', () => {
  test.each(vectors)('%s passes by the hashes of its blocks', async (_, vector) => {
    const args = ['verify', save(vector.evidence), ...pins(vector)];
    const passed = await ends(svc([...args, ...hashes(vector)], { network: false }), 0, { err: '' });
    for (const [at, title] of ['words', 'tree', 'chain'].entries())
      expect(passed.out).toContain(`The ${title}: ${vector.expect[at]}`);
    expect(passed.out).toContain(NOT_SHOWN);
    expect(passed.out.trimEnd().split('\n').at(-1)).toMatch(
      /^PASS: the receipt holds by its evidence, which cannot show a later revocation\. This is a development chain/,
    );
    await ends(svcHere([...args, '--rpc', 'http://127.0.0.1:9']), 2, { out: 'cannot be reached' });
  });

  test('the test has no network', async () => {
    const args = ['verify', save(retracted.evidence), ...pins(retracted), '--rpc', rpc];
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
  const verify = (args: string[], vector = retracted, evidence: unknown = vector.evidence) =>
    svcHere(['verify', save(evidence), ...pins(vector), ...args]);

  test('waits without block hashes, and lists the required ones', async () => {
    const { out } = await ends(verify([]), 2);
    for (const hash of retracted.block_hashes)
      expect(out).toContain(`must have the hash ${hash}: confirm it`);
    expect(asked).toEqual([]);
  });

  test('asks an endpoint for block hashes only', async () => {
    const found = JSON.parse((await verify(['--json'])).out) as {
      evidence: { blocks: { number: number; hash: string }[]; cannot_show: string };
    };
    expect(found.evidence.cannot_show).toBe(NOT_SHOWN);
    blocks = Object.fromEntries(found.evidence.blocks.map(({ number, hash }) => [number, hash]));
    expect((await verify(['--rpc', rpc])).status).toBe(0);
    expect(new Set(asked)).toEqual(new Set(['eth_chainId', 'eth_getBlockByNumber']));
    blocks[found.evidence.blocks[1]!.number] = `0x${'12'.repeat(32)}`;
    await ends(verify(['--rpc', rpc]), 1, { out: 'is not on the chain' });
    blocks = {};
    expect((await verify(['--rpc', rpc])).status).toBe(2);
    expect((await verify(['--rpc', rpc, '--offline'])).status).toBe(2);
  });

  test('waits or fails on hashes of other blocks, or of one of two', async () => {
    expect((await verify(['--block-hash', `0x${'12'.repeat(32)}`])).status).toBe(1);
    expect((await verify(['--block-hash', retracted.block_hashes[0]!])).status).toBe(1);
  });

  test('waits for a missing proof, and attributes the reason to the service', async () => {
    const wait = 'the proof is being made';
    await ends(
      verify(hashes(retracted), retracted, {
        ...retracted.evidence,
        tombstone: null,
        wait,
      }),
      2,
      { out: `The service says why a proof is missing: ${wait}.` },
    );
  });

  test('fails on a broken proof, and on a file that is not evidence', async () => {
    const broken = structuredClone(retracted.evidence);
    broken.commitment.preimage.bump = 1;
    await ends(verify(hashes(retracted), retracted, broken), 1, {
      out: '\nFAIL: the evidence does not hold.',
    });
    await ends(verify(hashes(retracted), retracted, { ...retracted.evidence, more: 1 }), 1, {
      out: '',
      err: 'FAIL: not valid evidence',
    });
  });

  test('rejects wrong usage', async () => {
    const [hash] = hashes(retracted).slice(1);
    await ends(verify(['--block-hash', hash!, '--rpc', rpc]), 64);
    await ends(verify(['--block-hash', hash!], retracted, retracted.evidence.receipt), 64, {
      err: 'requires an evidence file',
    });
    expect((await verify(['--block-hash', '0x12'])).status).toBe(64);
  });
});

describe('time stamps of an authority', () => {
  const stamped = JSON.parse(readFileSync(join(folder, 'stamped-evidence.json'), 'utf8')) as Vector & {
    certificates: string;
  };
  const certificates = join(home, 'authority.pem');
  writeFileSync(certificates, stamped.certificates);
  const verify = (args: string[], evidence: unknown = stamped.evidence) =>
    svcHere(['verify', save(evidence), ...args]);
  const trusting = ['--tsa-certificates', certificates];
  const both = ['--require', 'chain,tsa'];

  test('each check passes, fails or waits separately, and only required checks must pass', async () => {
    const chain = [...pins(stamped), ...hashes(stamped)];
    await ends(verify([...chain, ...trusting, ...both]), 0, {
      out: [
        /PASS {2}The chain: revoked\n[^]*PASS {2}The time stamp: stamped\n/,
        'by the clock of O=Tests, CN=Time stamps of tests',
      ],
      err: '',
    });
    await ends(verify([...chain, ...both]), 2, { out: 'WAIT  The time stamp: unproven' });
    expect((await verify(chain)).status).toBe(0);
    await ends(verify([...pins(stamped), ...trusting, ...both]), 2, { out: 'PASS  The time stamp: stamped' });
    const bare = { ...stamped.evidence };
    delete bare.witnesses;
    await ends(verify([...chain, ...trusting, ...both], bare), 2, { out: 'WAIT  The time stamp: none' });
  });

  test('a required time stamp needs no chain or relayer, and the last line says so', async () => {
    const args = ['verify', save(stamped.evidence), ...trusting, '--require', 'tsa'];
    const alone = await ends(svc(args, { network: false }), 0, {
      out: 'WAIT  The chain: unreachable',
      last: /^PASS: the hash existed by the time of its time stamp; its words were not checked, and the chain was not required/,
    });
    const { result, timestamp } = JSON.parse((await verify([...trusting, '--require', 'tsa', '--json'])).out);
    expect([result, timestamp.verdict]).toEqual(['pass', 'pass']);
    expect(alone.out).toContain(timestamp.time);
    const other = structuredClone(stamped.evidence);
    other.receipt.inclusion.proof[0] = '12'.repeat(32);
    expect((await verify([...trusting, '--require', 'tsa'], other)).status).toBe(1);
  });

  test('a wrong time stamp fails, required or not', async () => {
    const wrong = structuredClone(stamped.evidence);
    wrong.witnesses[0].proof = wrong.witnesses[1].proof;
    for (const more of [trusting, [], both]) {
      await ends(verify([...pins(stamped), ...hashes(stamped), ...more], wrong), 1, {
        out: 'FAIL  The time stamp: mismatch',
      });
    }
  });

  test('rejects wrong usage', async () => {
    await ends(verify([...trusting], stamped.evidence.receipt), 64, {
      out: '',
      err: 'require an evidence file',
    });
    expect((await verify(['--require', 'moon'])).status).toBe(64);
    expect((await verify(['--tsa-certificates', join(home, 'none.pem')])).status).toBe(66);
    const empty = join(home, 'empty.pem');
    writeFileSync(empty, '');
    await ends(verify(['--tsa-certificates', empty]), 66, { err: 'there is no certificate in it' });
  });
});
