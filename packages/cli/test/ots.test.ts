import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAttestationData, hexToBytes } from '@svc/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Calendar, startCalendar } from '../../../testing/calendar/calendar.ts';
import { hasOracle, readByOracle } from '../../../testing/calendar/oracle.ts';
import { freshHome, svc } from '../../../testing/clients/svc.ts';
import { newDataDir } from '../../../testing/database/embedded.ts';
import type { ServiceProcess } from '../../../testing/system/service-process.ts';
import { startForTests } from '../../../testing/system/start-for-tests.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { eventually } from '../../../testing/wait.ts';
import { pins, save } from './support/saved.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

describe('svc verify --require ots', () => {
  const vector = readVector('valid/ots');
  const verify = (args: string[], evidence: unknown = vector.evidence) =>
    svcHere(['verify', save(evidence), ...args]);
  const header = ['--bitcoin-header', vector.bitcoin_header];
  const required = ['--require', 'ots'];
  const proven = [...required, ...header];

  test('passes by the header alone, without a network or a chain', async () => {
    await ends(svc(['verify', save(vector.evidence), ...proven], { network: false }), 0, {
      out: ['PASS  The OpenTimestamps proof: attested', `It existed by ${vector.time}`],
      err: '',
      last: /^PASS: the hash existed by the time of a Bitcoin block; its words were not checked, and the chain was not required\./,
    });
    const { result, ots } = await jsonOf(verify([...proven, '--json']));
    expect([result, ots.verdict, ots.time]).toEqual(['pass', 'pass', vector.time]);
  });

  test('says that the words existed only when they were checked', async () => {
    const { evidence } = readVector('valid/evidence-tree-among-20');
    const { root, tree_version: treeVersion, tree_size: treeSize } = evidence.receipt.inclusion;
    const data = encodeAttestationData({ root: hexToBytes(root), kind: 0, treeVersion, treeSize });
    // The proof has no step: the digest of the data is the Merkle root of block 1.
    const digest = createHash('sha256').update(data).digest('hex');
    const [{ proof }] = vector.evidence.witnesses;
    const witness = {
      of: 'commitment',
      kind: 'ots',
      proof: `${proof.slice(0, 68)}${digest}000588960d73d71901${'0101'}`,
    };
    const { bitcoin_header: one } = vector;
    await ends(
      verify([...required, '--bitcoin-header', `${one.slice(0, 72)}${digest}${one.slice(136)}`], {
        ...evidence,
        witnesses: [witness],
      }),
      0,
      {
        out: 'PASS  The words: match',
        last: /^PASS: the words existed by the time of a Bitcoin block; the chain was not required\./,
      },
    );
  });

  test('waits without a header, and only when it is required', async () => {
    await ends(verify(required), 2, { out: 'WAIT  The OpenTimestamps proof: unproven' });
    const chain = [...pins(vector), ...vector.block_hashes.flatMap((hash: string) => ['--block-hash', hash])];
    await ends(verify(chain), 0);
    await ends(verify([...chain, '--require', 'chain,ots']), 2);
    await ends(verify([...chain, '--require', 'chain,ots', ...header]), 0);
    const { witnesses: _, ...bare } = vector.evidence;
    await ends(verify(proven, bare), 2, { out: 'WAIT  The OpenTimestamps proof: none' });
  });

  test('fails with a different header, a different proof and other words', async () => {
    const other = vector.bitcoin_header.replace(/^.{80}/, '00'.repeat(40));
    await ends(verify([...required, '--bitcoin-header', other]), 1, {
      out: 'FAIL  The OpenTimestamps proof: mismatch',
    });
    const changed = structuredClone(vector.evidence);
    changed.receipt.inclusion.proof[0] = '12'.repeat(32);
    await ends(verify(proven, changed), 1);
    const spoiled = structuredClone(vector.evidence);
    spoiled.witnesses[0].proof = spoiled.witnesses[0].proof.slice(0, -2);
    await ends(verify(proven, spoiled), 1);
  });

  test('rejects wrong usage', async () => {
    await ends(verify(header, vector.evidence.receipt), 64, { out: '', err: 'require an evidence file' });
    for (const args of [
      ['--bitcoin-header', '00'],
      ['--bitcoin-rpc', 'nowhere'],
      [...header, '--bitcoin-rpc', 'http://127.0.0.1:9/'],
      ['--offline', '--bitcoin-rpc', 'http://127.0.0.1:9/'],
    ])
      await ends(verify(args), 64, { where: args.join(' ') });
  });

  test('prints no password of a URL that is malformed', async () => {
    for (const url of [
      'http://user:hunter2%zz@127.0.0.1:9/',
      'http://user:hunter2@127.0.0.1:port/',
      'user:hunter2@127.0.0.1',
    ])
      for (const option of ['--bitcoin-rpc', '--rpc']) {
        await ends(verify([option, url, '--json']), 64, {
          err: 'percent-encoded',
          without: 'hunter2',
          json: { error: { code: 'usage' } },
          where: `${option} ${url}`,
        });
      }
  });
});

describe('svc receipt --ots', () => {
  const home = freshHome();
  let calendar: Calendar;
  let service: ServiceProcess;
  const run = (args: string[]) => svcHere(args, { home, env: { SVC_BASE_URL: service.url } });
  beforeAll(async () => {
    calendar = await startCalendar();
    service = await startForTests(await newDataDir(), { OTS_CALENDARS: calendar.url });
    await ends(run(['register']), 0);
  });
  afterAll(async () => {
    await service.stop();
    await calendar.stop();
  });

  test('writes a file that the official library verifies against a block header', async () => {
    const { etch } = await jsonOf(run(['etch', 'A rail.', '--description', 'A bird', '--json']));
    const { id, hash } = etch;
    const file = join(home, 'etch.ots');
    const early = await run(['receipt', id, '--ots', file]);
    if (early.status !== 0) await ends(early, 2, { err: 'OTS_CALENDARS' });
    const ran = await eventually('the promise of the calendar', async () => {
      const one = await run(['receipt', id, '--ots', file]);
      return one.status === 0 && one;
    });
    expect(ran.out).toContain('no Bitcoin block has it yet');
    const ots = readFileSync(file);
    expect(ots.subarray(33, 65).toString('hex')).toBe(hash);
    if (hasOracle) expect(readByOracle([ots], [])).toMatchObject([{ digest: hash, times: [] }]);
    await ends(run(['receipt', id, '--ots', file, '--out', file]), 64);
  });
});
