import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useRunningService } from '../../../testing/system/running-service.ts';
import { freshHome, svc } from './support/svc.ts';

const service = useRunningService();
const home = freshHome();
const run = (args: string[]) => svc(args, { home, env: { SVC_BASE_URL: service.url } });
const file = join(home, 'promise.json');
const write = (name: string, value: unknown) => {
  writeFileSync(join(home, name), JSON.stringify(value));
  return join(home, name);
};

/** A service's key that this service does not have. */
const pair = generateKeyPairSync('ed25519');
const publicKey = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
const promiseOf = (text: string) => ({
  text,
  public_key: publicKey,
  signature: sign(null, Buffer.from(text), pair.privateKey).toString('hex'),
});

test('a promise is kept with the etch, and seen to be kept or broken', async () => {
  expect((await run(['register'])).status).toBe(0);
  const made = await run(['etch', 'High water.', '--wait', '--save', file, '--json']);
  expect(made, made.err).toMatchObject({ status: 0 });
  const { etch, promise } = JSON.parse(made.out);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(promise);

  const kept = await run(['verify', '--promise', file]);
  expect(kept, kept.out + kept.err).toMatchObject({ status: 0 });
  expect(kept.out).toContain('PASS  The promise: kept');
  expect(kept.out).toMatch(/promise key [0-9a-f]{64} is what the service says; pin it with --promise-key/);
  const whole = await run([
    'verify',
    etch.id,
    '--promise',
    write('answer.json', { etch, promise }),
    '--json',
  ]);
  expect(JSON.parse(whole.out)).toMatchObject({ result: 'pass', promise: { badge: 'kept' } });

  const pinned = await run(['verify', '--promise', file, '--promise-key', promise.public_key]);
  expect(pinned.status).toBe(0);
  expect(pinned.out).not.toContain('promise key');
  const other = await run(['verify', '--promise', file, '--promise-key', publicKey]);
  expect(other.status).toBe(1);
  expect(other.out).toContain('FAIL  The promise: unknown-key');

  const forged = { ...promise, text: promise.text.replace(/\d{4}-\d\d-\d\d$/, '2020-01-01') };
  expect((await run(['verify', '--promise', write('forged.json', forged)])).out).toContain(
    'FAIL  The promise: forged',
  );
  expect(await run(['verify', '--promise', write('none.json', {})])).toMatchObject({ status: 1 });
  expect(await run(['verify', '--promise', join(home, 'nowhere.json')])).toMatchObject({ status: 66 });
  expect(await run(['verify'])).toMatchObject({ status: 64 });

  // The same words under a key that the reader trusts: it is the service that must match them.
  const [tag, id, user, hash] = promise.text.split('|');
  const judged = async (text: string, keys = ['--promise-key', publicKey]) => {
    const ran = await run(['verify', '--promise', write('other.json', promiseOf(text)), ...keys]);
    return [ran.status, /The promise: (\S+)/.exec(ran.out)?.[1]];
  };
  expect(await judged([tag, id, user, hash, '2020-01-01'].join('|'))).toEqual([1, 'late']);
  expect(await judged([tag, id, user, 'f'.repeat(64), '2030-01-01'].join('|'))).toEqual([1, 'broken']);
  expect(await judged([tag, id.replace(/^.{8}/, '00000000'), user, hash, '2030-01-01'].join('|'))).toEqual([
    1,
    'broken',
  ]);
  expect(await judged([tag, id, user, hash, '2030-01-01'].join('|'), [])).toEqual([2, 'unknown-key']);
}, 240_000);
