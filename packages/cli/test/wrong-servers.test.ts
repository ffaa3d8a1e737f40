import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, startServer } from '../../../testing/machine/server.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const ASKING = [
  'whoami',
  `show ${ID}`,
  'show abc234',
  'record ada',
  'search x',
  'keys list',
  `challenge show ${ID}`,
  'challenge show abc234',
  `receipt ${ID}`,
  `evidence ${ID}`,
  'score ada',
  'events',
  'webhooks list',
  'api GET /me',
  'register',
  'etch x --description y',
];

const page = (status: number, body: string, headers: Record<string, string>): Promise<LocalServer> =>
  startServer((_, response) => void response.writeHead(status, headers).end(body));
const json = { 'content-type': 'application/json' };

const urls: Record<string, string> = {};
const servers: LocalServer[] = [];
let notHttp: Server;
const at = (kind: string, line: string) => {
  const [home, url] = [freshHome(), urls[kind]!];
  const args = line.split(' ').map((word) => word.replace('URL', url).replace('OUT', join(home, 'opening')));
  const key = args[0] === 'register' ? {} : { SVC_API_KEY: 'svc_sk_test' };
  return svcHere(args, { home, env: { SVC_BASE_URL: url, ...key } });
};
beforeAll(async () => {
  const pages = {
    html: await page(200, '<!doctype html><title>Router</title>', { 'content-type': 'text/html' }),
    json: await page(200, '{"hello":1}', json),
    list: await page(200, '[1]', json),
    nulls: await page(200, '{"user":null,"etch":null,"etches":null,"page":null,"challenge":null}', json),
    defect: await page(200, '{"user":{},"etches":{},"account":7}', json),
    busy: await page(503, '{"error":{"code":"service_unavailable","message":"busy"}}', json),
    closed: await page(200, '', {}),
  };
  const redirect = await page(302, '', { location: pages.html.url });
  servers.push(...Object.values(pages), redirect);
  for (const [name, server] of Object.entries({ ...pages, redirect })) urls[name] = server.url;
  await pages.closed.stop();
  urls['tls'] = urls['html']!.replace('http:', 'https:');
  notHttp = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-Else\r\n'));
  await new Promise<void>((resolve) => notHttp.listen(0, '127.0.0.1', resolve));
  urls['ssh'] = `http://127.0.0.1:${(notHttp.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  notHttp.close();
});

/** Those that cannot be reached are retried for some seconds, so all commands run at once. */
const KINDS: [kind: string, said: RegExp, asking: string[]][] = [
  ['html', /answer/, ASKING],
  ['redirect', /redirect|answers in an unknown format/, ASKING.slice(0, 5)],
  ['json', /answer/, ASKING.slice(0, 5)],
  ['list', /answer/, ASKING.slice(0, 5)],
  ['nulls', /answer/, ASKING],
  ['tls', /does not speak TLS; try http:/, ASKING.slice(0, 3)],
  ['ssh', /does not speak HTTP/, ASKING.slice(0, 3)],
  ['closed', /connection refused/, ASKING.slice(0, 1)],
];

test.concurrent('every command reports an address of another kind in one line, once, without internals', async () => {
  const ask = async (kind: string, said: RegExp, line: string) => {
    const { status, out, err } = await at(kind, line);
    const shown = `${kind}, ${line}: ${err}`;
    expect([66, 69], shown).toContain(status);
    expect(out, shown).toBe('');
    expect(err, shown).toMatch(said);
    expect(err, shown).toMatch(/^svc: [^\n]+\n$/);
  };
  await Promise.all(KINDS.flatMap(([kind, said, lines]) => lines.map((line) => ask(kind, said, line))));
});

test.concurrent('an unreachable or overloaded service ends with 69, not with 66, which means absent', async () => {
  const lines = [
    'register',
    'login',
    'etch x --description y',
    `etch --resolve ${ID} --outcome yes --source s`,
    `show ${ID}`,
    'show abc234',
    'show URL/e/abc234',
    `watch ${ID}`,
    `retract ${ID} --yes`,
    'challenge create x? --closes 3d',
    'challenge enter abc234 x',
    'challenge show abc234',
    'search x',
    `receipt ${ID}`,
    'evidence abc234',
    `opening ${ID} --out OUT`,
    'open abc234',
    'trust URL',
    `verify ${ID}`,
    'verify URL/e/abc234',
    'verify URL/kept/receipt.json',
    `verify ${ID} --trust URL`,
    'audit --all',
    'score ada',
    'score URL/ch/abc234',
    'record ada',
    'events',
    `webhooks remove ${ID}`,
    'keys list',
    'api GET /me',
  ];
  const ended = (kind: string, line: string) =>
    ends(at(kind, line), 69, { out: '', where: `${kind} ${line}` });
  await Promise.all([
    ...lines.map((line) => ended('closed', line)),
    ...[ID, 'abc234'].map((target) => ended('busy', `verify ${target}`)),
  ]);
});

test('reports a defect without a stack, and names SVC_DEBUG', async () => {
  await ends(at('defect', 'whoami'), 70, { out: '', err: 'SVC_DEBUG=1', without: /^\s+at /m });
});

test.concurrent('reports a possible effect only for requests that can change something', async () => {
  const [asked, made] = await Promise.all([at('ssh', 'whoami'), at('ssh', 'keys create x')]);
  expect(asked.err).not.toContain('carried out');
  expect(made.err).toContain('may have carried out the request');
});

test.each([
  ['', /Usage: svc/],
  ['keys', /Usage: svc keys/],
  ['profile use', /\(see svc profile use --help\)/],
  ['etch x --description y --topic cooking', /Allowed choices are crypto, /],
  ['search x --status foo', /"foo" is unknown; accepted are sealed, revealed, retracted/],
  ['search x --status open', /with --in etches, --status is one of sealed, revealed, retracted/],
  ['search x --in challenges --sort best,newest', /Allowed choices/],
  ['search x --in accounts --status open', /with --in accounts, --status is not available/],
  ['search x --sort most', /with --in etches, --sort is one of best, newest, oldest/],
  ['watch abc234 --until x', /Allowed choices are anchored, revealed/],
  ['events --types etch.made', /"etch.made" is unknown; accepted are etch.anchored/],
  ['events --follow --field id', /without end/],
  ['webhooks listen --forward https://hooks.example.org', /not a port or url of this machine/],
  ['webhooks add nonsense', /not an http or https url/],
  ['challenge show what', /neither the id, the code nor the url/],
  ['challenge show https://elsewhere.example/ch/abc234', /elsewhere\.example, but this command uses/],
  ['record https://elsewhere.example/u/ada', /elsewhere\.example, but this command uses/],
  ['show https://elsewhere.example/e/abc234', /elsewhere\.example, but this command uses/],
  ['completion tcsh', /Allowed choices are bash, zsh, fish/],
])('wrong usage ends with 64 and the correct usage: svc %s', async (line, said) => {
  const words = line.split(' ').filter((word) => word !== '');
  const { err } = await ends(svcHere(words), 64, { out: '', err: said });
  expect(err.split('\n').filter((line) => /^(?:error|svc): /.test(line)).length, err).toBeLessThanOrEqual(1);
});
