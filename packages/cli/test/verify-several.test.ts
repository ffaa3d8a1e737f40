import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRpc } from '../../../testing/chain/rpc-server.ts';
import type { RpcServer } from '../../../testing/chain/rpc-server.ts';
import { receiptVector } from '../../../testing/vectors/receipts.ts';
import { save } from './support/saved.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const good = receiptVector('valid/receipt-instant');
const [passes, fails, waits] = [
  save(good.receipt),
  save({ ...good.receipt, hash: '0'.repeat(64) }),
  save(receiptVector('valid/receipt-pending').receipt),
] as [string, string, string];
const absent = '/nowhere/receipt.json';
const malformed = save('{}');

let rpc: RpcServer;
beforeAll(async () => {
  rpc = await startRpc(good.chain);
});
afterAll(() => rpc.close());

const { trust } = good;
const verify = (targets: string[], more: string[] = []) =>
  svcHere([
    ...['verify', ...targets, '--rpc', rpc.url, '--relayer', trust.relayers[0]!],
    ...['--contract', trust.contract, '--schema', trust.schema_uid, '--chain-id', String(trust.chain_id)],
    ...more,
  ]);

describe('svc verify of several receipts', () => {
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
  });

  test.each([
    ['pass', [passes, passes], 0],
    ['wait', [passes, waits, passes], 2],
    ['an absent file before wait', [waits, absent, passes], 66],
    ['fail before all', [absent, fails, waits], 1],
    ['a malformed receipt like fail', [passes, malformed, absent], 1],
  ])('ends with the worst status: %s', async (_, targets, expected) => {
    expect((await verify(targets)).status).toBe(expected);
  });

  test('prints one JSON document with --json, and one value of it with --field', async () => {
    const { out } = await ends(verify([passes, absent, waits], ['--json']), 66);
    const { receipts, ...rest } = JSON.parse(out);
    expect(rest).toEqual({ exit_status: 66 });
    expect(receipts).toMatchObject([
      { target: passes, exit_status: 0, result: 'pass', etch_id: good.receipt.etch_id },
      { target: absent, exit_status: 66, error: { code: 'no_input' } },
      { target: waits, exit_status: 2, result: 'wait' },
    ]);
    expect((await verify([passes, fails], ['--field', 'receipts.1.result'])).out).toBe('fail\n');
    expect(JSON.parse((await verify([passes, fails], ['--json'])).out).result).toBe('fail');
  });

  test('rejects options for one etch, and standard input twice', async () => {
    for (const more of [
      ['--promise', 'p.json'],
      ['--files', '.'],
      ['--manifest', 'm.json'],
    ])
      await ends(verify([passes, waits], more), 64, { out: '', err: 'give one receipt' });
    expect((await verify(['-', '-'])).status).toBe(64);
  });

  test('prints untrusted texts on one line', async () => {
    const { out } = await verify([passes, 'a\nPASS  b: the receipt holds.']);
    expect(out.split('\n')).toHaveLength(3);
  });
});
