import { writeFileSync } from 'node:fs';
import { MAX_RECEIPT_BYTES } from '@svc/verifier';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RpcServer, startRpc } from '../../../testing/chain/rpc-server.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { svc } from '../../../testing/clients/svc.ts';
import { receiptVector } from '../../../testing/vectors/receipts.ts';
import { readPiped } from '../src/load-receipt.ts';
import { pins, save } from './support/saved.ts';
import { svcHere } from './support/svc-here.ts';

describe('svc verify of several receipts', () => {
  const good = receiptVector('valid/receipt-instant');
  const passes = save(good.receipt);
  const fails = save({ ...good.receipt, hash: '0'.repeat(64) });
  const waits = save(receiptVector('valid/receipt-pending').receipt);
  const absent = '/nowhere/receipt.json';
  const malformed = save('{}');
  let rpc: RpcServer;
  beforeAll(async () => {
    rpc = await startRpc(good.chain);
  });
  afterAll(() => rpc.close());
  const verify = (targets: string[], ...more: string[]) =>
    svcHere(['verify', ...targets, '--rpc', rpc.url, ...pins(good), ...more]);

  test('prints a line for each receipt', async () => {
    const { out } = await ends(verify([passes, fails, waits, absent, malformed]), 1, { err: '' });
    expect(out.split('\n')).toEqual([
      expect.stringMatching(`^PASS  ${passes}: the receipt holds\\. This is a development chain: `),
      `FAIL  ${fails}: the receipt does not hold.`,
      expect.stringMatching(`^WAIT  ${waits}: `),
      `ERROR ${absent}: ${absent} is neither a file nor the id, code or url of an etch`,
      expect.stringMatching(`^FAIL  ${malformed}: not a valid receipt: `),
      '',
    ]);
    // An untrusted text stays on its line.
    expect((await verify([passes, 'a\nPASS  b: the receipt holds.'])).out.split('\n')).toHaveLength(3);
  });

  test.each([
    ['pass', [passes, passes], 0],
    ['wait', [passes, waits, passes], 2],
    ['an absent file before wait', [waits, absent, passes], 66],
    ['fail before all', [absent, fails, waits], 1],
    ['a malformed receipt like fail', [passes, malformed, absent], 1],
  ])('ends with the worst status: %s', async (_, targets, expected) => {
    await ends(verify(targets), expected);
  });

  test('prints one JSON document with --json, and one value of it with --field', async () => {
    const { receipts, ...rest } = await jsonOf(verify([passes, absent, waits], '--json'), 66);
    expect(rest).toEqual({ exit_status: 66 });
    expect(receipts).toMatchObject([
      { target: passes, exit_status: 0, result: 'pass', etch_id: good.receipt.etch_id },
      { target: absent, exit_status: 66, error: { code: 'no_input' } },
      { target: waits, exit_status: 2, result: 'wait' },
    ]);
    await ends(verify([passes, fails], '--field', 'receipts.1.result'), 1, { out: /^fail\n$/ });
    expect((await jsonOf(verify([passes, fails], '--json'), 1)).result).toBe('fail');
  });

  test('rejects options for one etch, and standard input twice', async () => {
    for (const [option, value] of Object.entries({ promise: 'p.json', files: '.', manifest: 'm.json' }))
      await ends(verify([passes, waits], `--${option}`, value), 64, { out: '', err: 'give one receipt' });
    await ends(verify(['-', '-']), 64);
  });
});

describe('bad usage and unreadable input', () => {
  const ID = '11111111-2222-4333-8444-555555555555';
  test.each<[string, string[], number]>([
    ['nothing', [], 64],
    ['no receipt', ['verify'], 64],
    ['an unknown command', ['prove', 'x'], 64],
    ['an unknown option', ['verify', 'x', '--trust-me'], 64],
    ['an endpoint that is no url', ['verify', 'x', '--rpc', 'localhost'], 64],
    ['a relayer that is no address', ['verify', 'x', '--relayer', '0x12'], 64],
    ['a chain id that is none', ['verify', 'x', '--chain-id', '0x1'], 64],
    ['an id offline', ['verify', ID, '--offline'], 64],
    ['no such file', ['verify', '/nowhere/receipt.json'], 66],
    ['a folder', ['verify', '/'], 66],
    ['no service', ['verify', ID, '--base-url', 'http://127.0.0.1:9'], 69],
  ])('%s', async (_, args, expected) => {
    const { err } = await ends(svcHere(args), expected, { out: '', without: /^\s+at /m });
    expect(err).not.toBe('');
  });

  test('the program ends with the same status', async () => {
    for (const args of [['verify'], ['verify', '/nowhere/receipt.json']])
      expect(await svc(args)).toEqual(await svcHere(args));
  });

  test('rejects a file that is not JSON or not UTF-8, and JSON that is not a receipt', async () => {
    const path = save('');
    writeFileSync(path, Buffer.from('7b2261223a22ff227d', 'hex'));
    for (const file of [save('{"_format":'), path]) await ends(svcHere(['verify', file]), 66, { out: '' });
    for (const text of ['null', '[]', '{}', '5']) await ends(svcHere(['verify', save(text)]), 1);
  });

  test('reads standard input up to the size limit of a receipt', async () => {
    const chunk = Buffer.alloc(65_536, ' ');
    let taken = 0;
    async function* piped(most: number): AsyncGenerator<Uint8Array> {
      for (taken = 0; taken < most; taken += chunk.length) yield chunk;
    }
    expect(await readPiped(piped(MAX_RECEIPT_BYTES))).toHaveLength(MAX_RECEIPT_BYTES);
    await expect(readPiped(piped(64 * MAX_RECEIPT_BYTES))).rejects.toThrow(
      'standard input is larger than 1048576 bytes',
    );
    expect(taken).toBe(MAX_RECEIPT_BYTES);
  });

  test('--help exits with 0 and lists the statuses', async () => {
    await ends(svcHere(['verify', '--help']), 0, { out: 'Exit status' });
  });
});
