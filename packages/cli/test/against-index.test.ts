import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import type { Json } from '../../../testing/json.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { useIndexProxy } from './support/index-proxy.ts';
import { cosign, policyOf } from './support/index-witness.ts';

const at = useIndexProxy(useSharedService());
const AGAINST = '--against-index';
const here = process.cwd();
let receipt: string;
let omission: string;
let entries: string[];
let hash: string;

beforeAll(async () => {
  const { etch } = await at.etch('The third.');
  await at.logged(3);
  ({ entries } = await at.answer());
  ({ hash } = etch);
  receipt = join(newFolder('receipt'), 'receipt.json');
  omission = `svc-omission-${hash.slice(0, 12)}.json`;
  await ends(at.account.run(['receipt', etch.id, '--out', receipt, '--index']), 0, { out: receipt });
  receipt = saved(throughProxy);
});
const throughProxy = (file: Json) => (file._verify_without_etch = `${at.url}/verify`);
// An omission is written into the current folder.
beforeEach(() => process.chdir(newFolder('current')));
afterEach(() => process.chdir(here));

const saved = (change: (file: Json) => void, from = receipt): string => {
  const file = JSON.parse(readFileSync(from, 'utf8'));
  change(file);
  const path = join(newFolder('receipt'), 'receipt.json');
  writeFileSync(path, JSON.stringify(file));
  return path;
};

test('names the place of the etch in the index, from the file and from the service', async () => {
  const { run, logKey } = await at.reader();
  const place = entries.findIndex((entry) => entry.endsWith(hash)) + 1;
  const present = [/PASS {2}The index of accounts: present/, `Etch ${place} of 3 of its author`];
  await ends(run('verify', receipt, '--rpc', `${at.url}/rpc`), 0, { out: present });
  await ends(run('verify', receipt, AGAINST, '--rpc', `${at.url}/rpc`), 0, { out: present });
  at.changeIndex((body) => ({ ...body, checkpoint: cosign(body.checkpoint) }));
  const named = ['--policy', policyOf(logKey()), '--index-witness', 'checker'];
  await ends(run('verify', receipt, AGAINST, '--rpc', `${at.url}/rpc`, ...named), 0, {
    out: 'checker recomputed the index, by your word.',
  });
  expect(existsSync(omission)).toBe(false);
});

test('writes the proof of an omission, which anyone checks offline', async () => {
  const { run, logKey } = await at.reader({ isForger: true });
  await at.forge({ entries: entries.filter((entry) => !entry.endsWith(hash)) });
  const said = [
    'FAIL  The index of accounts: omitted',
    `${omission} proves it to anyone (svc verify ${omission})`,
  ];
  await ends(run('verify', receipt, AGAINST), 1, { out: said });
  const proven = 'PASS: the omission is proven: the key of the log signed an index that leaves out the etch.';
  await ends(run('verify', omission, '--offline'), 0, { out: 'gives this account 2 entries', last: proven });
  const stranger = (...more: string[]) => at.account.run(['verify', omission, '--offline', ...more]);
  await ends(stranger(), 2, { out: 'no key of the log is pinned' });
  await ends(stranger('--policy', policyOf(logKey(), 'none')), 0, { last: proven });
  expect(await jsonOf(stranger('--policy', policyOf(logKey(), 'none'), '--json'), 0)).toMatchObject({
    result: 'pass',
    hash,
  });
});

test('a changed omission file proves nothing', async () => {
  const { run } = await at.reader({ isForger: true });
  await at.forge({ entries: entries.filter((entry) => !entry.endsWith(hash)) });
  await ends(run('verify', receipt, AGAINST), 1);
  const file = JSON.parse(readFileSync(omission, 'utf8'));
  const changed = async (change: object, status: number, said: object) => {
    writeFileSync(omission, JSON.stringify({ ...file, ...change }));
    await ends(run('verify', omission), status, said);
  };
  const fails = { last: 'FAIL: the file proves no omission.' };
  await changed({ tree: { ...file.tree, log_index: 0 } }, 1, fails);
  await changed({ index: [await at.answer()] }, 2, {
    last: 'WAIT: the file cannot be checked now; nothing in it was disproved.',
  });
  await changed({ tree: null }, 1, { err: 'FAIL: not a valid omission file: tree' });
});

test('waits while the index cannot show the etch', async () => {
  const { run } = await at.reader({ isForger: true });
  const waits = (out: string) => ends(run('verify', receipt, AGAINST), 2, { out });
  await at.forge({ entries: entries.slice(0, 2), covered: Number.parseInt(entries[2]!.slice(0, 16), 16) });
  await waits('The index does not cover the tree at the log index');
  at.refused = {
    path: /^\/log\/index\//,
    status: 503,
    body: '{"error":{"message":"it is read into memory"}}',
  };
  await waits('(it is read into memory); this says nothing about the record: try again later');
  at.refused = undefined;
  at.forged = undefined;
  await waits('The pinned key of the log did not sign its checkpoint');
  const pending = saved((file) => {
    Object.assign(file, { inclusion: null, index: undefined });
    Object.assign(file.chain, {
      attestation_uid: null,
      expect_onchain: null,
      tx_hash: null,
      anchored_at: null,
    });
  });
  await at.forge({ entries: entries.filter((entry) => !entry.endsWith(hash)) });
  await ends(run('verify', pending, AGAINST), 2, { out: 'The receipt names no tree of version 2' });
});

test('a tree that the log lacks fails a day after its attestation', async () => {
  const { run } = await at.reader({ isForger: true });
  const [gone, rest] = [true, false].map((is) => entries.filter((entry) => entry.endsWith(hash) === is));
  const changed = gone!.map((entry) => Number.parseInt(entry.slice(0, 16), 16));
  await at.forge({ entries: rest!, changed: [changed[0]!, new Uint8Array(128)] });
  const verify = () => run('verify', receipt, AGAINST, '--rpc', `${at.url}/rpc`);
  await ends(verify(), 2, { out: 'The log has no tree of the receipt among its' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 });
  const failed = { out: 'FAIL  The index of accounts: absent' };
  await ends(verify(), 1, failed).finally(() => vi.useRealTimers());
  expect(existsSync(omission)).toBe(false);
});

test('a saved index that lacks the etch, or contradicts itself, is named', async () => {
  const { run } = await at.reader();
  const rest = entries.filter((entry) => !entry.endsWith(hash));
  const other = saved((file) => (file.index[0].entries = rest));
  await ends(run('verify', other), 1, { out: 'FAIL  The index of accounts: contradicted' });
  const none = saved((file) => (file.index = []));
  await ends(run('verify', none), 1, { out: 'Index has no answer.' });
  const strange = await at.account.run(['verify', receipt, '--offline']);
  expect(strange.out).toContain('INFO  The index of accounts: unread');
});

test('svc receipt --index says that its check will wait, if the index does not cover the whole log', async () => {
  const { run } = await at.reader({ isForger: true });
  await at.forge({ entries, covered: Number.parseInt(entries.at(-1)!.slice(0, 16), 16) + 1 });
  const { etch_id: id } = JSON.parse(readFileSync(receipt, 'utf8'));
  const path = join(newFolder('receipt'), 'receipt.json');
  const words =
    /^svc verify will wait: the index covers \d+ of the \d+ entries of the log, and a saved file shows/m;
  await ends(run('receipt', id, '--index', '--out', path), 0, { err: words, out: path });
  await ends(run('verify', saved(throughProxy, path), '--offline'), 2, {
    out: 'WAIT  The index of accounts: present',
  });
});

test('rejects options that do not fit', async () => {
  const { run } = await at.reader();
  await ends(run('verify', receipt, AGAINST, '--offline'), 64, { err: '--against-index reads the log' });
  await ends(run('receipt', 'abc234', '--index', '--ots', 'x'), 64, { err: '--index requires a receipt' });
});
