import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { promiseKey } from './support/promise-key.ts';
import { svcHere } from './support/svc-here.ts';
import { freshHome } from '../../../testing/clients/svc.ts';

const service = useSharedService();
const home = freshHome();
const run = (args: string[]) => svcHere(args, { home, env: { SVC_BASE_URL: service.url } });
const file = join(home, 'promise.json');
const write = (name: string, value: unknown) => {
  writeFileSync(join(home, name), JSON.stringify(value));
  return join(home, name);
};

/** A service's key that this service does not have. */
const stranger = promiseKey();

test('a promise is kept with the etch, and seen to be kept or broken', async () => {
  expect((await run(['register'])).status).toBe(0);
  const made = await run([
    'etch',
    'High water.',
    '--description',
    'A tide',
    '--wait',
    '--save',
    file,
    '--json',
  ]);
  expect(made, made.err).toMatchObject({ status: 0 });
  const { etch, promise, promise_v2: second } = JSON.parse(made.out);
  // Who reads version 1 alone finds it where it was.
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...promise, promise_v2: second });

  // Nobody vouched for the key that the service names.
  const unknown = await run(['verify', '--promise', file]);
  expect(unknown.status).toBe(2);
  expect(unknown.out).toContain('WAIT  The promise: unknown-key');
  expect(unknown.out).toMatch(/promise key [0-9a-f]{64} is what the service says; pin it with --promise-key/);

  expect((await run(['trust', service.url])).status).toBe(0);
  const kept = await run(['verify', '--promise', file]);
  expect(kept, kept.out + kept.err).toMatchObject({ status: 0 });
  expect(kept.out).toContain('PASS  The promise: kept');
  expect(kept.out).not.toContain('promise key');
  const whole = await run([
    'verify',
    etch.id,
    '--promise',
    write('answer.json', { etch, promise }),
    '--json',
  ]);
  expect(JSON.parse(whole.out)).toMatchObject({ result: 'pass', promise: { badge: 'kept' } });
  // A receipt does not hold what stands beside the words: of a file alone nothing is known of that.
  const { out: receipt } = await run(['receipt', etch.id]);
  const alone = await run(['verify', write('receipt.json', JSON.parse(receipt)), '--promise', file]);
  expect(alone.out).toContain('WAIT  The promise: unread');

  const other = await run(['verify', '--promise', file, '--promise-key', stranger.publicKey]);
  expect(other.status).toBe(2);
  expect(other.out).toContain('WAIT  The promise: unknown-key');

  const forged = { ...promise, text: promise.text.replace(/\d{4}-\d\d-\d\d$/, '2020-01-01') };
  expect((await run(['verify', '--promise', write('forged.json', forged)])).out).toContain(
    'FAIL  The promise: forged',
  );
  expect(await run(['verify', '--promise', write('none.json', {})])).toMatchObject({ status: 1 });
  expect(await run(['verify', '--promise', join(home, 'nowhere.json')])).toMatchObject({ status: 66 });
  expect(await run(['verify'])).toMatchObject({ status: 64 });

  // The same words under another key. Pinned for this service, its answers can break what it promises; by a flag alone
  // nobody knows whose promise it is, so no service's answer does.
  const [tag, id, user, hash] = promise.text.split('|');
  const pins = join(home, 'svc', 'trust.json');
  const before = readFileSync(pins, 'utf8');
  const withKey = JSON.parse(before);
  withKey[service.url].promise_keys.push(stranger.publicKey);
  const judged = async (words: string[], keys: string[] = []) => {
    const ran = await run([
      'verify',
      '--promise',
      write('other.json', stranger.sign(words.join('|'))),
      ...keys,
    ]);
    return [ran.status, /The promise: (\S+)/.exec(ran.out)?.[1]];
  };
  const day = promise.text.split('|')[4];
  const beside = second.text.split('|').slice(5);
  const nothing = id.replace(/^.{8}/, '00000000');
  writeFileSync(pins, JSON.stringify(withKey));
  expect(await judged([tag, id, user, hash, '2020-01-01'])).toEqual([1, 'misdated']);
  expect(await judged([tag, id, user, 'f'.repeat(64), day])).toEqual([2, 'due']);
  expect(await judged([tag, id, user, 'f'.repeat(64), '2020-01-01'])).toEqual([1, 'broken']);
  expect(await judged([tag, nothing, user, hash, '2020-01-01'])).toEqual([1, 'broken']);
  expect(await judged([tag, nothing, user, hash, '2099-01-01'])).toEqual([2, 'due']);
  const promisedOf = (fields: string[]) => judged(['svc-promise:v2', id, user, hash, day, ...fields]);
  expect(await promisedOf(beside)).toEqual([0, 'kept']);
  expect(await promisedOf(['f'.repeat(64), ...beside.slice(1)])).toEqual([1, 'edited']);
  writeFileSync(pins, before);
  const byFlag = ['--promise-key', stranger.publicKey];
  expect(await judged([tag, id, user, 'f'.repeat(64), '2020-01-01'], byFlag)).toEqual([2, 'elsewhere']);
  expect(await judged([tag, nothing, user, hash, '2020-01-01'], byFlag)).toEqual([2, 'elsewhere']);
  expect(await judged([tag, nothing, user, hash, '2020-01-01'])).toEqual([2, 'unknown-key']);
});
