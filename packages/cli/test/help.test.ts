import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { svc } from '../../../testing/clients/svc.ts';
import { ends } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const { service, home, run } = useAccount();
test('each kind of failure has its exit status', async () => {
  const unknown = '11111111-2222-4333-8444-555555555555';
  expect(await run(['show', unknown])).toMatchObject({ status: 66, out: '' });
  expect(await run(['show', 'https://elsewhere.example/e/abc234'])).toMatchObject({ status: 64 });
  expect(await run(['show', 'what'])).toMatchObject({ status: 64 });
  await ends(run(['etch', 'x', '--description', 'X'.repeat(141)]), 1, { err: 'description' });
  await ends(run(['whoami'], { env: { SVC_BASE_URL: 'http://127.0.0.1:9' } }), 69);
  // An audit waits for a busy service, but not for a missing one.
  for (const patient of [
    ['score', 'ada'],
    ['audit', 'ada', '--chain-id', '1'],
  ])
    await ends(run(patient, { env: { SVC_BASE_URL: 'http://127.0.0.1:9' } }), 69, {
      err: '127.0.0.1:9',
      where: patient[0],
    });
  await ends(run(['whoami'], { env: { SVC_SECRET_KEY: 'abzz' } }), 64, { without: 'abzz' });
  expect(await run(['etch', '--file', '/nowhere/text'])).toMatchObject({ status: 66 });
  expect(await run(['fly'])).toMatchObject({ status: 64 });
  const ended = async (args: string[], url = service.url) =>
    (await svc(args, { home, env: { SVC_BASE_URL: url } })).status;
  expect(await ended(['show', unknown])).toBe(66);
  expect(await ended(['whoami'], 'http://127.0.0.1:9')).toBe(69);
  expect(await ended(['fly'])).toBe(64);
});

test('ends without a defect when the reader of its output stops early', async () => {
  const bin = join(import.meta.dirname, '../bin/svc.mjs');
  const script = `'${process.execPath}' '${bin}' etch --help | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script]);
  expect(stdout).toMatch(/^Usage: svc etch.*\n(?:0|141)\n$/);
  expect(stderr).toBe('');
});

test('--help lists first steps, and every command has an example', async () => {
  const { out } = await run(['--help']);
  expect(out).toContain('First steps:');
  const names = [...out.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name]) => name!);
  expect(names).toContain('etch');
  // Without a terminal, svc cannot ask for a description.
  const etching = [...out.matchAll(/\$ (svc etch .*?) {2}/g)].map(([, line]) => line!);
  expect(etching.length).toBeGreaterThan(2);
  for (const line of etching) expect(line).toContain('--description');
  const groups = ['keys', 'profile', 'challenge', 'files', 'log', 'git', 'hub', 'webhooks'];
  for (const name of names.filter((found) => found !== 'help' && !groups.includes(found)))
    expect((await run([name, '--help'])).out, name).toContain('Examples:');
  for (const path of [
    ['files', 'disclose'],
    ['git', 'anchor'],
    ['git', 'verify'],
    ['log', 'anchor'],
    ['log', 'verify'],
    ['log', 'prove'],
    ['webhooks', 'listen'],
    ['webhooks', 'forward'],
    ['webhooks', 'add'],
  ])
    expect((await run([...path, '--help'])).out, path.join(' ')).toContain('Examples:');
});

test('help explains exit statuses, trust and files', async () => {
  const { out } = await run(['--help']);
  for (const [topic, words] of [
    ['exit-status', '77  no valid API key'],
    ['trust', '--trust <url|file>: a service'],
    ['files', 'profiles.json  accounts'],
  ] as const) {
    expect(out).toContain(`svc help ${topic}`);
    await ends(run(['help', topic]), 0, { out: words });
  }
  await ends(run(['exit-status']), 0, { out: 'Exit status:' });
  // These two names are also commands.
  for (const name of ['trust', 'files'])
    expect((await run(['help', name])).out).toContain(`Usage: svc ${name}`);
});

test('svc api calls any operation by its path, and --field prints one value', async () => {
  const { out: name } = await run(['whoami', '--field', 'user.username']);
  expect(name).toMatch(/^agent_\w+\n$/);
  expect(await run(['api', 'get', '/me', '--field', 'user.username'])).toMatchObject({
    status: 0,
    out: name,
  });
  await ends(
    run(['api', 'POST', '/api/v1/follows', '--data', '{"target_type":"category","target_id":"science"}']),
    0,
  );
  expect((await run(['api', 'GET', '/follows/me'])).out).toContain('science');
  const etched = ['api', 'POST', '/etches', '--idempotency-key', 'once', '--data', '-', '--field', 'etch.id'];
  const body = { content: 'High water.', description: 'Tide', category_id: 'science', mode: 'instant' };
  const twice = [
    await run(etched, { input: JSON.stringify(body) }),
    await run(etched, { input: JSON.stringify(body) }),
  ];
  expect(twice[0]).toMatchObject({ status: 0, out: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
  expect(twice[1]!.out).toBe(twice[0]!.out);
  expect((await run(['api'])).out).toContain('GET    /api/v1/etches/{id}  getEtch');

  const id = twice[0]!.out.trim();
  const { short_url: url, code } = JSON.parse((await run(['api', `etches/${id}`])).out).etch;
  for (const named of [['me'], ['/me'], ['api/v1/me'], ['GET', 'me'], [`${service.url}/api/v1/me`]])
    expect((await run(['api', ...named, '--field', 'user.username'])).out, named.join(' ')).toBe(name);
  for (const named of [url, `${service.url}/api/v1/etches/${code}`, `/etches/${code}`, `verify/${code}`])
    expect((await run(['api', named])).out, named).toContain(id);
  await ends(run(['api', 'https://elsewhere.example/api/v1/me']), 64, { err: '--base-url' });
  await run(['etch', 'Low water.', '--description', 'Tide']);
  const list = `/users/${name.trim()}/etches?limit=1`;
  const listed = await run(['api', list, '--paginate', '--field', 'etches.id']);
  expect(listed.out.split('\n')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), id, '']);
  expect((await run(['api', list, '--field', 'etches.id'])).out.split('\n')).toHaveLength(2);
  const nothing = `search?q=${crypto.randomUUID()}`;
  await ends(run(['api', nothing, '--paginate', '--field', 'etches.id']), 0, { out: '' });
  await ends(run(['api', list, '--field', 'etches.nothing']), 64, { err: 'etches has no field nothing' });
  await ends(run(['api', 'me', '--paginate']), 64, { err: 'no pages' });

  await ends(run(['whoami', '--field', 'user.nam']), 64, {
    out: '',
    err: /user has no field nam; it has .*username/,
  });
  for (const wrong of [
    ['api', 'GET'],
    ['api', 'GET', '/nothing'],
    ['api', 'POST', '/follows', '--data', '{'],
  ])
    expect(await run(wrong), wrong.join(' ')).toMatchObject({ status: 64, out: '' });
  await ends(run(['api', 'GET', '/etches/11111111-2222-4333-8444-555555555555']), 66);
});
