import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildGoVerifier, GO_VERIFIER, goEnvironment, HAS_GO } from '../../../testing/clients/go-verifier.ts';
import { startRpc } from '../../../testing/chain/rpc-server.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { runProgram } from '../../../testing/machine/program.ts';
import { AT_FULL_COUNT } from '../../../testing/rounds.ts';
import type { ReceiptVector } from '../../../testing/vectors/receipts.ts';
import { receiptVector } from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { flipped } from './support/flipped.ts';
import { givenOf, ours } from './support/verdicts.ts';

if (!HAS_GO) console.warn('Go is not here: verifiers/go was not tested');

const go = (command: string, ...args: string[]) =>
  spawnSync(command, args, { cwd: GO_VERIFIER, env: goEnvironment, encoding: 'utf8' });

test.runIf(HAS_GO)('the Go module is formatted, vetted, and decides every vector', () => {
  expect(go('gofmt', '-l', '.').stdout).not.toMatch(/^(?!vendor)./mu);
  expect(go('go', 'vet', './...')).toMatchObject({ status: 0 });
  const { status, stdout, stderr } = go('go', 'test', '-count=1', '-v', './...');
  expect(status, stdout + stderr).toBe(0);
  // The Go program runs one test for each file.
  expect(stdout.match(/^ {4}--- PASS: .*\.json/gmu)!.length).toBeGreaterThan(190);
});

test.runIf(HAS_GO)('svc-verify checks files with its flags', async () => {
  const program = buildGoVerifier();
  expect(readFileSync(program).includes('ld-linux')).toBe(false);
  const folder = newFolder('svc-verify-files');
  const rpc = await startRpc({ chain_id: 1, eth_call: {} });
  const write = (name: string, value: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };
  const run = (...args: string[]) => runProgram(program, args);
  const trusted = ({ trust }: Pick<ReceiptVector, 'trust'>, keys: string[] = []) => {
    const { contract: attestation_contract, ...chain } = trust;
    return write('svc.json', { chain: { ...chain, attestation_contract }, log: { keys } });
  };
  try {
    const vector = receiptVector('valid/receipt-signed');
    const [receipt, url] = [write('receipt.json', vector.receipt), rpc.add(vector.chain)];
    const key = vector.receipt.signature!.public_key;
    const pinned = ['-trust', trusted(vector), '-rpc', url];
    expect(await run(...pinned, receipt)).toMatchObject({ status: 0 });
    expect(await run(...pinned, '-author-key', key, receipt)).toMatchObject({ status: 0 });
    expect(await run(...pinned, '-author-key', '7'.repeat(64), receipt)).toMatchObject({ status: 1 });
    expect(await run('-rpc', url, receipt)).toMatchObject({
      status: 2,
      out: expect.stringContaining('relayer is not pinned') as string,
    });
    expect(await run('-trust', trusted(vector), receipt)).toMatchObject({ status: 2 });
    expect(await run('-trust', join(folder, 'none.json'), receipt)).toMatchObject({ status: 64 });
    expect(await run('-tlog-proof', receipt, receipt)).toMatchObject({ status: 64 });
    const broken = receiptVector('invalid/receipt-content-changed');
    const both = [write('broken.json', broken.receipt), receipt];
    expect(await run(...pinned, ...both)).toMatchObject({ status: 1 });

    const { evidence, block_hashes, ...rest } = readVector('valid/evidence-tree-retracted-among-20');
    const offline = ['-trust', trusted(rest), write('evidence.json', evidence)];
    const hashes = (block_hashes as string[]).flatMap((hash) => ['-block-hash', hash]);
    expect(await run(...hashes, ...offline)).toMatchObject({ status: 0 });
    expect(await run(...offline)).toMatchObject({ status: 2 });
    expect(await run('-block-hash', `0x${'7'.repeat(64)}`, ...offline)).toMatchObject({ status: 1 });

    const told = async (status: number, words: string, ...args: string[]) =>
      expect(await run(...args)).toMatchObject({ status, out: expect.stringContaining(words) as string });
    const stamped = readVector('valid/ots');
    const blocks = (stamped.block_hashes as string[]).flatMap((hash) => ['-block-hash', hash]);
    const inBitcoin = [...blocks, '-trust', trusted(stamped), write('ots.json', stamped.evidence)];
    await told(
      0,
      `pass ots: in a block of Bitcoin of ${stamped.time}`,
      '-bitcoin-header',
      stamped.bitcoin_header,
      ...inBitcoin,
    );
    await told(0, 'wait ots: no block of Bitcoin is given', ...inBitcoin);
    await told(64, '', '-bitcoin-header', '00', ...inBitcoin);
    const { certificates, ...authority } = readVector('valid/stamped-evidence');
    const signed = [...blocks, '-trust', trusted(authority), write('stamped.json', authority.evidence)];
    await told(0, 'pass tsa: stamped at', '-tsa-certificates', write('tsa.pem', certificates), ...signed);
    await told(0, 'wait tsa: no certificate', ...signed);
    await told(64, '', '-tsa-certificates', write('none.pem', ''), ...signed);
    const strange = structuredClone(authority.evidence);
    strange.witnesses[0].kind = 'strange';
    const unread = [...blocks, '-trust', trusted(authority), write('strange.json', strange)];
    await told(3, 'info witness: the kind strange is not checked', ...unread);
    const [{ opening }] = readVector('valid/openings').openings;
    await told(3, 'not decrypted\nUNCHECKED', write('opening.json', opening));
    await told(1, 'FAIL', write('opening.json', { ...opening, round: 999 }));
    const [{ promise, content }] = readVector('valid/promises').promises;
    const promised = [
      '-promise',
      write('promise.json', { ...promise, content }),
      '-trust',
      trusted(vector),
      '-rpc',
      url,
      receipt,
    ];
    await told(2, 'wait promise: the key of the promise is not pinned', ...promised);
    await told(
      2,
      'wait promise: the promise is of another etch',
      '-promise-key',
      promise.public_key,
      ...promised,
    );

    const log = readVector('valid/tlog');
    const instant = receiptVector('valid/receipt-instant');
    const files = ['-policy', write('policy', log.policy), '-tlog-proof', write('proof', log.proof)];
    const node = ['-trust', trusted(instant), '-rpc', rpc.add(instant.chain)];
    const of = write('instant.json', instant.receipt);
    // The vector's cosignatures are of 2027.
    const future = Date.parse(log.time) > Date.now() + 60_000;
    expect(await run(...node, ...files, of)).toMatchObject({ status: future ? 2 : 0 });
    expect(await run(...node, ...files, receipt)).toMatchObject({ status: 1 });

    const { readings } = readVector('valid/account-index');
    const vkey = (log.policy as string).split(/\s/u)[1]!;
    for (const [at, { pages, kept }] of readings.entries()) {
      if (kept !== null) continue;
      const answers = pages.map((page: unknown, number: number) => write(`${at}-${number}.json`, page));
      expect(await run('-log-key', vkey, ...answers), readings[at].what).toMatchObject({ status: 0 });
      expect(await run(...answers)).toMatchObject({ status: 2 });
      expect(await run('-log-key', vkey, ...answers, answers[0])).toMatchObject({ status: 1 });
    }

    const cases = [...flipped()].filter((_, at) => AT_FULL_COUNT || at % 24 === 0);
    const wrong: string[] = [];
    for (const [name, changed] of cases) {
      const pins = ['-trust', trusted(changed), '-rpc', rpc.add(changed.chain)];
      const { status } = await run(...pins, write('flipped.json', changed.receipt));
      const verdict = ['pass', 'fail', 'wait'][status ?? 3];
      const expected = await ours(givenOf(name, changed));
      if (verdict !== expected) wrong.push(`${name}: ours ${expected}, in Go ${verdict}`);
    }
    expect(wrong).toEqual([]);
  } finally {
    await rpc.close();
  }
});
