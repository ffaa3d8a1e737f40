import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startChangingService } from '../../../testing/system/changing-service.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { checkDomain } from '../src/audit/audit-scope.ts';
import { folderOf } from './support/folder.ts';
import { jsonOf, svcHere } from './support/svc-here.ts';

const service = useSharedService();
const names = ['ada', 'bob', 'eve'] as const;
const homes = Object.fromEntries(names.map((name) => [name, freshHome()])) as Record<
  (typeof names)[number],
  string
>;
const accounts = {} as Record<(typeof names)[number], { user_id: string; username: string }>;
const run = (who: (typeof names)[number], args: string[]) =>
  svcHere(args, { home: homes[who], env: { SVC_BASE_URL: service.url } });
const json = (who: (typeof names)[number], args: string[]) => jsonOf(run(who, [...args, '--json']));

let answer: { status: number; body: string; headers?: Record<string, string> };
const server = createServer((request, response) => {
  response.writeHead(request.url === '/.well-known/svc-scope.txt' ? answer.status : 404, answer.headers);
  response.end(answer.body);
});
let domain: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  domain = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of names) {
    await json(name, ['register']);
    const { user } = await json(name, ['whoami']);
    accounts[name] = { user_id: user.id ?? user.user_id, username: user.username };
    await json(name, ['etch', `By ${name}.`, '--description', 'Text', '--wait']);
  }
  await run('ada', ['trust', service.url]);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

let subject = '';
let count = 0;
beforeEach(() => {
  subject = `My forecasts, part ${++count}`;
  answer = { status: 200, body: '' };
});

const line = (name: (typeof names)[number]) => `account ${accounts[name].user_id} ${accounts[name].username}`;
const words = (...lines: string[]) => ['svc-scope:v1', `subject ${subject}`, ...lines].join('\n');
const declare = async (...lines: string[]): Promise<string> =>
  (await json('ada', ['etch', words(...lines), '--description', 'My scope', '--wait'])).etch.id;
const audit = (etch: string, ...more: string[]) => run('ada', ['audit', '--scope', etch, ...more]);
const lastLine = (out: string) => out.trimEnd().split('\n').at(-1);

test('a scope is complete as declared, and its domain lists the same accounts', async () => {
  const etch = await declare(line('bob'), `domain ${domain}`);
  answer.body = `# my accounts\n${accounts.bob.user_id}\n${accounts.ada.user_id} # the author\n`;
  const ran = await audit(etch);
  expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
  expect(lastLine(ran.out)).toMatch(
    /^PASS: complete as declared: 2 accounts for "My forecasts, part \d+"\. This is a development/,
  );
  expect(ran.out).toContain(`${accounts.bob.username}: 1 of 1 leaf`);
  expect(ran.out).toContain('lists the same accounts');
  const report = JSON.parse((await audit(etch, '--json')).out);
  expect(report).toMatchObject({ result: 'pass', scope: { state: 'declared', etch, result: 'pass' } });
  expect(report.accounts).toHaveLength(2);
});

test('a later scope widens it; one that drops an account breaks it', async () => {
  const etch = await declare(line('bob'));
  const wider = await declare(line('bob'), line('eve'));
  const ran = await audit(etch);
  expect(ran, ran.out).toMatchObject({ status: 0 });
  expect(lastLine(ran.out)).toMatch(
    new RegExp(
      `^PASS: complete as declared and widened on \\d{4}-\\d\\d-\\d\\d by etch ${wider}: 3 accounts`,
    ),
  );
  const narrower = await declare(line('eve'));
  const broken = await audit(etch);
  expect(broken, broken.out).toMatchObject({ status: 1 });
  expect(lastLine(broken.out)).toContain(`FAIL: broken: it drops the account ${accounts.bob.username}`);
  expect(lastLine(broken.out)).toContain(narrower);
});

let broken: { etch: string; narrower: string } | undefined;
test.each<[string, (etches: any[], narrower: string, look: number) => any[]]>([
  [
    'another mode',
    (etches, narrower) => etches.map((etch) => (etch.id === narrower ? { ...etch, mode: 'delayed' } : etch)),
  ],
  ['another order', (etches) => etches.toReversed()],
  [
    'it left out of the first answers',
    (etches, narrower, look) => (look > 1 ? etches : etches.filter(({ id }) => id !== narrower)),
  ],
])('a scope that breaks it is found in a record with %s', async (_, change) => {
  broken ??= { etch: await declare(line('bob')), narrower: await declare(line('eve')) };
  const { etch, narrower } = broken;
  const proxy = await startChangingService(service.url);
  let looks = 0;
  proxy.change = (operation, body) =>
    operation === 'listUserEtches' && body.etches.some(({ id }: any) => id === narrower)
      ? { ...body, etches: change(body.etches, narrower, ++looks) }
      : body;
  try {
    const lied = (...args: string[]) => svcHere(args, { home: homes.ada, env: { SVC_BASE_URL: proxy.url } });
    expect(await lied('trust', proxy.url)).toMatchObject({ status: 0 });
    const ran = await lied('audit', '--scope', etch);
    expect(looks).toBeGreaterThan(1);
    expect(ran.status, ran.out + ran.err).toBe(1);
    expect(lastLine(ran.out)).toContain(narrower);
  } finally {
    await proxy.stop();
  }
});

let listed: string | undefined;
test.each<[string, () => typeof answer, number, RegExp]>([
  [
    'redirects',
    () => ({ status: 302, body: '', headers: { location: '/elsewhere' } }),
    1,
    /redirects; the domain itself/,
  ],
  ['has no list', () => ({ status: 404, body: '' }), 1, /answers status 404/],
  ['is away', () => ({ status: 503, body: '' }), 2, /answers status 503/],
  ['serves HTML', () => ({ status: 200, body: '<html>' }), 1, /not a list of account ids/],
  [
    'serves a large document',
    () => ({ status: 200, body: 'x'.repeat(70_000) }),
    1,
    /larger than 65536 bytes/,
  ],
  [
    'lists fewer accounts',
    () => ({ status: 200, body: accounts.ada.user_id }),
    1,
    /does not list the account/,
  ],
  [
    'lists more accounts',
    () => ({ status: 200, body: names.map((name) => accounts[name].user_id).join('\n') }),
    1,
    /lists the account .*, which the scope does not declare/,
  ],
])('a domain that %s', async (_, answered, status, message) => {
  listed ??= await declare(line('bob'), `domain ${domain}`);
  answer = answered();
  const ran = await audit(listed);
  expect(ran.status, ran.out).toBe(status);
  expect(lastLine(ran.out)).toMatch(message);
});

test('a service on another machine cannot lead svc to this machine', async () => {
  answer = { status: 200, body: accounts.ada.user_id };
  const ids = [accounts.ada.user_id];
  expect(await checkDomain(domain, ids, service.url)).toMatchObject({ result: 'pass' });
  expect(await checkDomain(domain, ids, 'https://svc.example.org')).toMatchObject({
    result: 'wait',
    detail: expect.stringContaining('leads to an address that is not public'),
  });
});

test.each<[string, () => string[], RegExp]>([
  ['names an account twice', () => [line('bob'), line('bob')], /names the account .* twice/],
  ['names its author', () => [line('ada')], /the author is always part of the scope/],
  ['has an unknown line', () => ['email x'], /account <account id> <username>/],
])('svc etch rejects a scope that %s, and etches nothing', async (_, lines, message) => {
  const ran = await run('ada', ['etch', words(...lines()), '--description', 'My scope']);
  expect(ran, ran.out).toMatchObject({ status: 64, out: '', err: expect.stringMatching(message) });
});

test('rejects a sealed scope, an etch without a scope, and --scope with an account', async () => {
  expect(
    await run('ada', ['etch', words(), '--sealed-until', '3d', '--description', 'My scope']),
  ).toMatchObject({
    status: 64,
    err: expect.stringContaining('a scope is public at once'),
  });
  const { etch } = await json('ada', ['etch', 'A text.', '--description', 'Text', '--wait']);
  expect(await audit(etch.id)).toMatchObject({ status: 1, err: expect.stringContaining('svc-scope:v1') });
  expect(await audit(etch.id, accounts.ada.username)).toMatchObject({ status: 64 });
});

test('an account that the service does not have under this name and id breaks the scope', async () => {
  const etch = await declare(`account ${accounts.eve.user_id} ${accounts.bob.username}`);
  const ran = await audit(etch);
  expect(ran.status, ran.out).toBe(1);
  expect(lastLine(ran.out)).toContain(
    `no account ${accounts.bob.username} with the id ${accounts.eve.user_id}`,
  );
});

test.runIf(spawnSync('python3', ['--version']).status === 0)(
  'docs/verify_scope.py checks a scope from an export alone',
  async () => {
    const etch = await declare(line('bob'));
    const files: Record<string, any> = {};
    for (const name of ['ada', 'bob'] as const) {
      const { username } = accounts[name];
      const page = await json('ada', ['api', 'GET', `/users/${username}/etches?limit=100`]);
      files[`records/${username}/1.json`] = page;
      for (const { chain } of page.etches)
        files[`trees/${chain.root}-0.json`] ??= await json('ada', ['api', 'GET', `/batches/${chain.root}`]);
    }
    const script = join(import.meta.dirname, '../../../docs/verify_scope.py');
    const check = () => {
      const texts = Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)]);
      return spawnSync('python3', ['-B', script, folderOf(Object.fromEntries(texts)), etch], {
        encoding: 'utf8',
      });
    };
    expect(check()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('PASS: complete as declared: 2 accounts'),
    });
    const [left] = files[`records/${accounts.bob.username}/1.json`].etches.splice(0, 1);
    expect(check()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`leaves out the hash ${left.hash}`),
    });
  },
);
