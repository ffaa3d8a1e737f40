import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promiseWords } from '@svc/protocol';
import { expect, test } from 'vitest';
import { promiseKey } from './support/promise-key.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const { service, home, run } = useAccount();
const file = join(home, 'promise.json');
const write = (name: string, value: unknown) => {
  writeFileSync(join(home, name), JSON.stringify(value));
  return join(home, name);
};

const stranger = promiseKey();

const judge = async (...args: string[]) => {
  const ran = await run(['verify', ...args]);
  return [ran.status, /The promise: (\S+)/.exec(ran.out)?.[1]];
};

test('svc etch --save stores a promise, and svc verify --promise checks it', async () => {
  const text = 'High water.';
  const { etch, promise } = await jsonOf(
    run(['etch', text, '--description', 'A tide', '--wait', '--save', file, '--json']),
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...promise, content: text });
  expect(statSync(file).mode & 0o777).toBe(0o600);

  await ends(run(['verify', '--promise', file]), 2, {
    out: [
      'WAIT  The promise: unknown-key',
      /promise key [0-9a-f]{64} comes from the service, not from you; pin it with --promise-key/,
    ],
  });

  expect((await run(['trust', service.url])).status).toBe(0);
  await ends(run(['verify', '--promise', file]), 0, {
    out: 'PASS  The promise: kept',
    without: 'promise key',
  });
  const whole = await run([
    'verify',
    etch.id,
    '--promise',
    write('answer.json', { etch, promise }),
    '--json',
  ]);
  expect(JSON.parse(whole.out)).toMatchObject({ result: 'pass', promise: { badge: 'kept' } });
  const { out: receipt } = await run(['receipt', etch.id]);
  const alone = await run(['verify', write('receipt.json', JSON.parse(receipt)), '--promise', file]);
  expect(alone.out).toContain('WAIT  The promise: unread');

  const { nonce, ...shown } = promise;
  const bare = write('bare.json', shown);
  const content = join(home, 'content.txt');
  writeFileSync(content, `${text}\n`);
  expect(await judge('--promise', bare)).toEqual([0, 'kept']);
  expect(await judge('--promise', bare, '--promise-content', content)).toEqual([2, 'unread']);
  const flags = ['--promise', bare, '--promise-nonce', nonce.toUpperCase(), '--promise-content', content];
  expect(await judge(...flags)).toEqual([0, 'kept']);
  writeFileSync(content, `\uFEFF${text}\r\n`);
  expect(await judge(...flags)).toEqual([0, 'kept']);
  writeFileSync(content, 'Low water.');
  expect(await judge(...flags)).toEqual([2, 'unread']);
  expect(await run(['verify', etch.id, '--promise-nonce', nonce])).toMatchObject({ status: 64 });

  await ends(run(['verify', '--promise', file, '--promise-key', stranger.publicKey]), 2, {
    out: 'WAIT  The promise: unknown-key',
  });

  const forged = { ...promise, text: promise.text.replace(/\d{4}-\d\d-\d\d/, '2020-01-01') };
  expect((await run(['verify', '--promise', write('forged.json', forged)])).out).toContain(
    'FAIL  The promise: forged',
  );
  expect(await run(['verify', '--promise', write('none.json', {})])).toMatchObject({ status: 1 });
  expect(await run(['verify', '--promise', join(home, 'nowhere.json')])).toMatchObject({ status: 66 });
  expect(await run(['verify'])).toMatchObject({ status: 64 });

  // The same fields under a different key. If the key is pinned for this service, its answers can break the
  // promise. A key from a flag could be any service's, so no answer breaks it.
  const [tag, id, user, hash, day, ...rest] = promise.text.split('|');
  const pins = join(home, 'svc', 'trust.json');
  const before = readFileSync(pins, 'utf8');
  const withKey = JSON.parse(before);
  withKey[service.url].promise_keys.push(stranger.publicKey);
  const judged = (fields: string[], more: object = {}, keys: string[] = []) => {
    const signed = stranger.promise([tag, ...fields].join('|'), nonce);
    return judge('--promise', write('other.json', { ...signed, ...more }), ...keys);
  };
  const nothing = id.replace(/^.{8}/, '00000000');
  writeFileSync(pins, JSON.stringify(withKey));
  expect(await judged([id, user, hash, day, ...rest])).toEqual([0, 'kept']);
  expect(await judged([id, user, hash, '2020-01-01', ...rest])).toEqual([1, 'misdated']);
  expect(await judged([id, user, 'f'.repeat(64), day, ...rest])).toEqual([2, 'due']);
  expect(await judged([id, user, 'f'.repeat(64), '2020-01-01', ...rest])).toEqual([1, 'broken']);
  expect(await judged([nothing, user, hash, '2020-01-01', ...rest])).toEqual([1, 'broken']);
  expect(await judged([nothing, user, hash, '2099-01-01', ...rest])).toEqual([2, 'due']);
  expect(await judged([id, user, hash, day, 'f'.repeat(64), ...rest.slice(1)])).toEqual([1, 'edited']);
  const accepted = 'Low water.';
  const lied = [id, user, hash, day, ...rest.slice(0, -1), promiseWords(nonce, accepted)];
  expect(await judged(lied, { content: accepted })).toEqual([1, 'other-content']);
  expect(await judged(lied)).toEqual([2, 'unread']);
  writeFileSync(pins, before);
  const byFlag = ['--promise-key', stranger.publicKey];
  expect(await judged([id, user, 'f'.repeat(64), '2020-01-01', ...rest], {}, byFlag)).toEqual([
    2,
    'elsewhere',
  ]);
  expect(await judged([nothing, user, hash, '2020-01-01', ...rest], {}, byFlag)).toEqual([2, 'elsewhere']);
  expect(await judged([nothing, user, hash, '2020-01-01', ...rest])).toEqual([2, 'unknown-key']);
  expect(await judged(lied, { content: accepted }, byFlag)).toEqual([1, 'other-content']);
});
