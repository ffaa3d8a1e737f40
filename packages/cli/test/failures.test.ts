import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { goneAnswer } from '../../../testing/clients/example-answers.ts';
import { breakOff, json, refuse, silence, startFaultServer } from '../../../testing/clients/fault-server.ts';
import type { FaultServer } from '../../../testing/clients/fault-server.ts';
import { svcHere } from './support/svc-here.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { ends } from '../../../testing/clients/ends.ts';

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const run = (args: string[], home = freshHome()) =>
  svcHere(args, { home, env: { SVC_BASE_URL: server.url, SVC_API_KEY: 'svc_sk_test' } });
const keysSeen = () => new Set(server.seen.map(({ headers }) => headers['idempotency-key']));

describe('an etch whose answer is lost', () => {
  test('reports the Idempotency-Key, in words and as JSON', async () => {
    server.fates = [breakOff];
    const [words, ran] = await Promise.all([
      run(['etch', 'High water.', '--description', 'A tide']),
      run(['etch', 'High water.', '--description', 'A tide', '--json']),
    ]);
    expect(words).toMatchObject({ status: 69, out: '' });
    const [, named] = /--idempotency-key ([0-9a-f]{32})/.exec(words.err)!;
    const { error } = JSON.parse(ran.out);
    expect(error).toMatchObject({ code: 'no_answer', exit_status: 69, may_have_happened: true });
    expect(keysSeen()).toEqual(new Set([named, error.idempotency_key]));
    server.seen.length = 0;
    await run(['etch', 'High water.', '--description', 'A tide', '--idempotency-key', named!]);
    expect(keysSeen()).toEqual(new Set([named]));
  });
});

test('fails when the etch of the key is retracted', async () => {
  const gone = goneAnswer({ content: 'High water.', description: 'A tide', category_id: 'other' });
  server.fates = [json(201, gone, { 'idempotent-replay': 'true' })];
  const ran = await ends(
    run(['etch', 'High water.', '--description', 'A tide', '--idempotency-key', 'k', '--json']),
    1,
    { err: 'which is retracted' },
  );
  expect(JSON.parse(ran.out).error).toMatchObject({ code: 'retracted', exit_status: 1 });
});

test('svc watch ends with status 2 after its timeout, even if the service does not answer', async () => {
  server.fates = [silence];
  const id = '11111111-2222-4333-8444-555555555555';
  const ran = await ends(run(['watch', id, '--timeout', '1', '--json']), 2);
  expect(JSON.parse(ran.out).error).toMatchObject({ code: 'timeout', exit_status: 2 });
});

describe('with --json', () => {
  test('prints every failure on standard output too', async () => {
    server.fates = [refuse(404, 'not_found')];
    const home = freshHome();
    const [bad, id] = [join(home, 'bad.json'), '11111111-2222-4333-8444-555555555555'];
    writeFileSync(bad, '{}');
    for (const [args, status, told] of [
      [['show', id], 66, { error: { code: 'not_found', status: 404, message: 'refused with 404' } }],
      [['verify', bad], 1, { result: 'fail', error: { exit_status: 1 } }],
      [['verify', join(home, 'nowhere.json')], 66, { error: { code: 'no_input' } }],
      [['profile', 'use', 'third'], 64, { error: { code: 'usage' } }],
      [['etch', '--bogus'], 64, { error: { code: 'usage' } }],
    ] as const) {
      const ran = await ends(run([...args, '--json'], home), status, { json: told, where: args.join(' ') });
      expect(ran.err).not.toBe('');
      expect(await run([...args], home), args.join(' ')).toMatchObject({ status, out: '' });
    }
  });

  test('uses the chosen profile, and verify uses the service of --profile', async () => {
    const home = freshHome();
    const path = join(home, 'svc', 'profiles.json');
    mkdirSync(join(home, 'svc'), { mode: 0o700 });
    const profiles = { a: { base_url: 'http://127.0.0.1:9' }, b: { base_url: server.url } };
    writeFileSync(path, JSON.stringify({ current: 'a', profiles }), { mode: 0o600 });
    server.fates = [refuse(404, 'not_found')];
    const id = '11111111-2222-4333-8444-555555555555';
    expect(await svcHere(['verify', id, '--profile', 'b', '--json'], { home })).toMatchObject({ status: 66 });
    expect(server.seen.length).toBeGreaterThan(0);
    const used = await svcHere(['profile', 'use', 'b', '--json'], { home });
    expect(JSON.parse(used.out)).toEqual({ current: 'b' });
    expect(JSON.parse(readFileSync(path, 'utf8')).current).toBe('b');
  });
});
