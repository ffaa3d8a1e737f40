import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { goneAnswer } from '../../../testing/clients/example-answers.ts';
import {
  breakOff,
  type FaultServer,
  json,
  refuse,
  startFaultServer,
} from '../../../testing/clients/fault-server.ts';
import { save } from './support/saved.ts';
import { svcHere } from './support/svc-here.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { ends } from '../../../testing/clients/ends.ts';

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const run = (args: string[]) =>
  svcHere(args, { env: { SVC_BASE_URL: server.url, SVC_API_KEY: 'svc_sk_test' } });
const keysSeen = () => new Set(server.seen.map(({ headers }) => headers['idempotency-key']));

const TIDE = ['etch', 'High water.', '--description', 'A tide'];
const ID = '11111111-2222-4333-8444-555555555555';

test('an etch whose answer is lost reports its Idempotency-Key, in words and as JSON', async () => {
  server.fates = [breakOff];
  const [words, ran] = await Promise.all([run(TIDE), run([...TIDE, '--json'])]);
  expect(words).toMatchObject({ status: 69, out: '' });
  const [, named] = /--idempotency-key ([0-9a-f]{32})/.exec(words.err)!;
  const { error } = JSON.parse(ran.out);
  expect(error).toMatchObject({ code: 'no_answer', exit_status: 69, may_have_happened: true });
  expect(keysSeen()).toEqual(new Set([named, error.idempotency_key]));
  server.seen.length = 0;
  await run([...TIDE, '--idempotency-key', named!]);
  expect(keysSeen()).toEqual(new Set([named]));
});

test('fails when the etch of the key is retracted', async () => {
  const gone = goneAnswer({ content: 'High water.', description: 'A tide', category_id: 'other' });
  server.fates = [json(201, gone, { 'idempotent-replay': 'true' })];
  await ends(run([...TIDE, '--idempotency-key', 'k', '--json']), 1, {
    err: 'which is retracted',
    json: { error: { code: 'retracted', exit_status: 1 } },
  });
});

test('with --json, prints every failure on standard output too', async () => {
  server.fates = [refuse(404, 'not_found')];
  for (const [args, status, json] of [
    [['show', ID], 66, { error: { code: 'not_found', status: 404, message: 'refused with 404' } }],
    [['verify', save('{}')], 1, { result: 'fail', error: { exit_status: 1 } }],
    [['verify', '/nowhere.json'], 66, { error: { code: 'no_input' } }],
    [['profile', 'use', 'third'], 64, { error: { code: 'usage' } }],
    [['etch', '--bogus'], 64, { error: { code: 'usage' } }],
  ] as const) {
    const ran = await ends(run([...args, '--json']), status, { json, where: args.join(' ') });
    expect(ran.err).not.toBe('');
    await ends(run([...args]), status, { out: '', where: args.join(' ') });
  }
});

test('uses the chosen profile, and verify uses the service of --profile', async () => {
  const home = freshHome();
  const path = join(home, 'svc', 'profiles.json');
  mkdirSync(join(home, 'svc'), { mode: 0o700 });
  const profiles = { a: { base_url: 'http://127.0.0.1:9' }, b: { base_url: server.url } };
  writeFileSync(path, JSON.stringify({ current: 'a', profiles }), { mode: 0o600 });
  server.fates = [refuse(404, 'not_found')];
  await ends(svcHere(['verify', ID, '--profile', 'b', '--json'], { home }), 66);
  expect(server.seen.length).toBeGreaterThan(0);
  await ends(svcHere(['profile', 'use', 'b', '--json'], { home }), 0, { json: { current: 'b' } });
  expect(JSON.parse(readFileSync(path, 'utf8')).current).toBe('b');
});
