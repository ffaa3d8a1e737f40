import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startChangingService } from '../../../testing/system/changing-service.ts';
import { useServer } from '../../../testing/machine/server.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { checkDomain } from '../src/audit/audit-scope.ts';
import { folderOf } from './support/folder.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

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
const server = useServer((request, response) => {
  response.writeHead(request.url === '/.well-known/svc-scope.txt' ? answer.status : 404, answer.headers);
  response.end(answer.body);
});
let domain: string;

beforeAll(async () => {
  domain = new URL(server.url).host;
  for (const name of names) {
    await json(name, ['register']);
    const { user } = await json(name, ['whoami']);
    accounts[name] = { user_id: user.id ?? user.user_id, username: user.username };
    await json(name, ['etch', `By ${name}.`, '--description', 'Text', '--wait']);
  }
  await run('ada', ['trust', service.url]);
});

let ids: string[] = [];
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
  await ends(audit(etch), 0, {
    out: [`${accounts.bob.username}: 1 of 1 leaf`, 'lists the same accounts'],
    last: /^PASS: complete as declared: 2 accounts for "My forecasts, part \d+"\. This is a development/,
  });
  const report = JSON.parse((await audit(etch, '--json')).out);
  expect(report).toMatchObject({ result: 'pass', scope: { state: 'declared', etch, result: 'pass' } });
  expect(report.accounts).toHaveLength(2);
});

test('a later scope widens it; one that drops an account breaks it', async () => {
  const etch = await declare(line('bob'));
  const wider = await declare(line('bob'), line('eve'));
  await ends(audit(etch), 0, {
    last: new RegExp(
      `^PASS: complete as declared and widened on \\d{4}-\\d\\d-\\d\\d by etch ${wider}: 3 accounts`,
    ),
  });
  const narrower = await declare(line('eve'));
  const broken = await ends(audit(etch), 1);
  expect(lastLine(broken.out)).toContain(`FAIL: broken: it drops the account ${accounts.bob.username}`);
  expect(lastLine(broken.out)).toContain(narrower);
});

describe.concurrent('a scope that breaks it', () => {
  let broken: { etch: string; narrower: string };
  beforeAll(async () => {
    subject = 'Broken';
    broken = { etch: await declare(line('bob')), narrower: await declare(line('eve')) };
  });
  test.each<[string, (etches: any[], narrower: string, look: number) => any[]]>([
    [
      'another mode',
      (etches, narrower) =>
        etches.map((etch) => (etch.id === narrower ? { ...etch, mode: 'delayed' } : etch)),
    ],
    ['another order', (etches) => etches.toReversed()],
    [
      'it left out of the first answers',
      (etches, narrower, look) => (look > 1 ? etches : etches.filter(({ id }) => id !== narrower)),
    ],
  ])('is found in a record with %s', async (_, change) => {
    const { etch, narrower } = broken;
    const proxy = await startChangingService(service.url);
    let looks = 0;
    proxy.change = (operation, body) =>
      operation === 'listUserEtches' && body.etches.some(({ id }: any) => id === narrower)
        ? { ...body, etches: change(body.etches, narrower, ++looks) }
        : body;
    try {
      const lied = (...args: string[]) =>
        svcHere(args, { home: homes.ada, env: { SVC_BASE_URL: proxy.url } });
      expect(await lied('trust', proxy.url)).toMatchObject({ status: 0 });
      const ran = await lied('audit', '--scope', etch);
      expect(looks).toBeGreaterThan(1);
      expect(ran.status, ran.out + ran.err).toBe(1);
      expect(lastLine(ran.out)).toContain(narrower);
    } finally {
      await proxy.stop();
    }
  });
});

test.each<[string, () => typeof answer, string, RegExp]>([
  [
    'redirects',
    () => ({ status: 302, body: '', headers: { location: '/elsewhere' } }),
    'fail',
    /redirects; the domain itself/,
  ],
  ['has no list', () => ({ status: 404, body: '' }), 'fail', /answers status 404/],
  ['is away', () => ({ status: 503, body: '' }), 'wait', /answers status 503/],
  ['serves HTML', () => ({ status: 200, body: '<html>' }), 'fail', /not a list of account ids/],
  ['is too large', () => ({ status: 200, body: 'x'.repeat(70_000) }), 'fail', /larger than 65536 bytes/],
  ['omits an account', () => ({ status: 200, body: ids[0]! }), 'fail', /does not list the account/],
  [
    'adds an account',
    () => ({ status: 200, body: [...ids, accounts.eve.user_id].join('\n') }),
    'fail',
    /lists the account .*, which the scope does not declare/,
  ],
])('a domain that %s', async (_, answered, result, message) => {
  ids = [accounts.ada.user_id, accounts.bob.user_id];
  answer = answered();
  expect(await checkDomain(domain, ids, service.url)).toMatchObject({
    result,
    detail: expect.stringMatching(message),
  });
});

test('an audit of a scope fails for the list of its domain', async () => {
  const etch = await declare(line('bob'), `domain ${domain}`);
  answer.body = accounts.ada.user_id;
  await ends(audit(etch), 1, { last: /does not list the account/ });
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
  await ends(run('ada', ['etch', words(...lines()), '--description', 'My scope']), 64, {
    out: '',
    err: message,
  });
});

test('rejects a sealed scope, an etch without a scope, and --scope with an account', async () => {
  await ends(run('ada', ['etch', words(), '--sealed-until', '3d', '--description', 'My scope']), 64, {
    err: 'a scope is public at once',
  });
  const { etch } = await json('ada', ['etch', 'A text.', '--description', 'Text', '--wait']);
  expect(await audit(etch.id)).toMatchObject({ status: 1, err: expect.stringContaining('svc-scope:v1') });
  expect(await audit(etch.id, accounts.ada.username)).toMatchObject({ status: 64 });
});

test('an account that the service does not have under this name and id breaks the scope', async () => {
  const etch = await declare(`account ${accounts.eve.user_id} ${accounts.bob.username}`);
  const ran = await ends(audit(etch), 1);
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
