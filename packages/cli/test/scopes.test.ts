import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startChangingService } from '../../../testing/system/changing-service.ts';
import { useServer } from '../../../testing/machine/server.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { eventually, patient } from '../../../testing/wait.ts';
import { checkDomain } from '../src/audit/audit-scope.ts';
import { folderOf } from './support/folder.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

const service = useSharedService();
const NAMES = ['ada', 'bob', 'eve', 'ann', 'ben'] as const;
type Name = (typeof NAMES)[number];
const homes = Object.fromEntries(NAMES.map((name) => [name, freshHome()])) as Record<Name, string>;
const accounts = {} as Record<Name, { id: string; username: string }>;
const run = (who: Name, args: string[], url = service.url) =>
  svcHere(args, { home: homes[who], env: { SVC_BASE_URL: url } });
const json = (who: Name, args: string[]) => jsonOf(run(who, [...args, '--json']));
const etch = async (who: Name, ...args: string[]): Promise<string> =>
  (await json(who, ['etch', ...args, '--wait'])).etch.id;

const line = (name: Name) => `account ${accounts[name].id} ${accounts[name].username}`;
const words = (subject: string, ...lines: string[]) =>
  ['svc-scope:v1', `subject ${subject}`, ...lines].join('\n');
const declare = (subject: string, ...lines: string[]) =>
  etch('ada', words(subject, ...lines), '--description', 'My scope');

let answer: { status: number; body: string; headers?: Record<string, string> };
const server = useServer((request, response) => {
  response.writeHead(request.url === '/.well-known/svc-scope.txt' ? answer.status : 404, answer.headers);
  response.end(answer.body);
});
let domain: string;
beforeEach(() => void (answer = { status: 200, body: '' }));

/** Each scope has its own subject. An etch is anchored some seconds later, so all are made at once. */
const scopes: Record<string, string> = {};
let [wider, narrower, plain, challenge] = ['', '', '', ''];
beforeAll(async () => {
  domain = new URL(server.url).host;
  await Promise.all(
    NAMES.map(async (name) => {
      const { user } = await json(name, ['register']);
      accounts[name] = { id: user.id ?? user.user_id, username: user.username };
      await ends(run(name, ['trust', service.url]), 0);
    }),
  );
  const asked = ['challenge', 'create', 'Rain? [yes|no]', '--closes', `${patient(10)}s`];
  challenge = (await json('ben', asked)).challenge.id;
  const declared: Record<string, string[]> = {
    widened: [line('bob')],
    broken: [line('bob')],
    domain: [line('bob'), `domain ${domain}`],
    stranger: [`account ${accounts.eve.id} ${accounts.bob.username}`],
    exported: [line('bob')],
  };
  [plain] = await Promise.all([
    etch('ada', 'By ada.', '--description', 'Text'),
    ...(['bob', 'eve'] as const).map((name) => etch(name, `By ${name}.`, '--description', 'Text')),
    json('ann', ['challenge', 'enter', challenge, '--forecast', 'yes=0.5', '--wait']),
    ...Object.entries(declared).map(async ([subject, lines]) => {
      scopes[subject] = await declare(subject, ...lines);
    }),
  ]);
  [wider, narrower] = await Promise.all([
    declare('widened', line('bob'), line('eve')),
    declare('broken', line('eve')),
  ]);
});
const audit = (subject: string, ...more: string[]) =>
  run('ada', ['audit', '--scope', scopes[subject]!, ...more]);

test('a scope is complete as declared, and its domain lists the same accounts', async () => {
  answer.body = `# my accounts\n${accounts.bob.id}\n${accounts.ada.id} # the author\n`;
  await ends(audit('domain'), 0, {
    out: [`${accounts.bob.username}: 1 of 1 leaf`, 'lists the same accounts'],
    last: /^PASS: complete as declared: 2 accounts for "domain"\. This is a development/,
  });
  const report = await jsonOf(audit('domain', '--json'));
  expect(report).toMatchObject({
    result: 'pass',
    scope: { state: 'declared', etch: scopes['domain'], result: 'pass' },
    accounts: [expect.anything(), expect.anything()],
  });
  answer.body = accounts.ada.id;
  await ends(audit('domain'), 1, { last: /does not list the account/ });
});

test('a later scope widens it; one that drops an account breaks it', async () => {
  await ends(audit('widened'), 0, {
    last: new RegExp(
      `^PASS: complete as declared and widened on \\d{4}-\\d\\d-\\d\\d by etch ${wider}: 3 acc`,
    ),
  });
  await ends(audit('broken'), 1, {
    last: new RegExp(`FAIL: broken: it drops the account ${accounts.bob.username}.*${narrower}`),
  });
});

test.each<[string, (etches: any[], look: number) => any[]]>([
  ['another mode', (all) => all.map((one) => (one.id === narrower ? { ...one, mode: 'delayed' } : one))],
  ['another order', (all) => all.toReversed()],
  [
    'it left out of the first answers',
    (all, look) => (look > 1 ? all : all.filter(({ id }) => id !== narrower)),
  ],
])('a scope that breaks it is found in a record with %s', async (_, change) => {
  const proxy = await startChangingService(service.url);
  let looks = 0;
  proxy.change = (operation, body) =>
    operation === 'listUserEtches' && body.etches.some(({ id }: any) => id === narrower)
      ? { ...body, etches: change(body.etches, ++looks) }
      : body;
  try {
    await ends(run('ada', ['trust', proxy.url], proxy.url), 0);
    await ends(run('ada', ['audit', '--scope', scopes['broken']!], proxy.url), 1, {
      last: new RegExp(narrower),
    });
    expect(looks).toBeGreaterThan(1);
  } finally {
    await proxy.stop();
  }
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
  ['omits an account', () => ({ status: 200, body: accounts.ada.id }), 'fail', /does not list the account/],
  [
    'adds an account',
    () => ({ status: 200, body: [accounts.ada.id, accounts.bob.id, accounts.eve.id].join('\n') }),
    'fail',
    /lists the account .*, which the scope does not declare/,
  ],
])('a domain that %s', async (_, answered, result, message) => {
  answer = answered();
  const ids = [accounts.ada.id, accounts.bob.id];
  expect(await checkDomain(domain, ids, service.url)).toMatchObject({
    result,
    detail: expect.stringMatching(message),
  });
});

test('a service on another machine cannot lead svc to this machine', async () => {
  answer.body = accounts.ada.id;
  const ids = [accounts.ada.id];
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
  ['is sealed', () => ['--sealed-until', '3d'], /a scope is public at once/],
])('svc etch rejects a scope that %s, and etches nothing', async (_, given, message) => {
  const [lines, more] = given()[0]!.startsWith('--') ? [[], given()] : [given(), []];
  await ends(run('ada', ['etch', words('x', ...lines), '--description', 'My scope', ...more]), 64, {
    out: '',
    err: message,
  });
});

test('rejects an etch without a scope, --scope with an account, and an account of another name', async () => {
  await ends(run('ada', ['audit', '--scope', plain]), 1, { err: 'svc-scope:v1' });
  await ends(audit('domain', accounts.ada.username), 64);
  await ends(audit('stranger'), 1, {
    last: new RegExp(`no account ${accounts.bob.username} with the id ${accounts.eve.id}`),
  });
});

test.runIf(spawnSync('python3', ['--version']).status === 0)(
  'docs/verify_scope.py checks a scope from an export alone',
  async () => {
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
      const args = ['-B', script, folderOf(Object.fromEntries(texts)), scopes['exported']!];
      return spawnSync('python3', args, { encoding: 'utf8' });
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

// Ann and ben are accounts of one author; ben resolves a challenge that ann answered.
test('scores every account of a scope together: what another one of them resolved is self-resolved', async () => {
  const text = words('My forecasts', line('ben'));
  const outcome = (target: string) =>
    etch('ben', '--resolve', target, '--outcome', 'yes', '--source', 'the sky');
  const [scope] = await Promise.all([
    etch('ann', text, '--description', 'My scope'),
    etch('ben', '--forecast', 'yes=1', '--description', 'Sun?').then(outcome),
  ]);
  await eventually('the challenge is closed', async () => {
    const shown = await json('ann', ['challenge', 'show', challenge]);
    return shown.challenge.closed;
  });
  await outcome(challenge);
  const [ann, ben] = [accounts.ann.username, accounts.ben.username];
  await ends(run('ann', ['score', '--scope', scope]), 0, {
    out: [`${ann}, ${ben} together: 2 forecasts, 2 scored (2 self-resolved)`, 'resolved by others: none'],
    last: /^PASS: complete as declared: 2 accounts for "My forecasts"\./,
  });
  const alone = await json('ann', ['score', ann]);
  expect(alone.score.counts).toMatchObject({ scored: 1, self_resolved: 0 });
  expect(await json('ann', ['score', '--scope', scope])).toMatchObject({
    scope: { etch: scope, state: 'declared', result: 'pass' },
    score: {
      accounts: [{ username: ann }, { username: ben }],
      counts: { scored: 2, self_resolved: 2 },
      scores: { by_others: { n: 0 }, self_resolved: { brier: { binary: { n: 2, mean: 0.125 } } } },
    },
  });
  for (const target of [[], [ann, '--scope', scope]]) await ends(run('ann', ['score', ...target]), 64);
});
