import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../../testing/machine/server.ts';
import type { LocalServer } from '../../../testing/machine/server.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const ASKING = [
  ['whoami'],
  ['show', ID],
  ['show', 'abc234'],
  ['record', 'ada'],
  ['search', 'x'],
  ['keys', 'list'],
  ['challenge', 'show', ID],
  ['challenge', 'show', 'abc234'],
  ['receipt', ID],
  ['evidence', ID],
  ['score', 'ada'],
  ['events'],
  ['webhooks', 'list'],
  ['api', 'GET', '/me'],
  ['register'],
  ['etch', 'x', '--description', 'y'],
];

const page = (status: number, body: string, headers: Record<string, string>): Promise<LocalServer> =>
  startServer((_, response) => void response.writeHead(status, headers).end(body));
const json = { 'content-type': 'application/json' };

const urls: Record<string, string> = {};
const servers: LocalServer[] = [];
let notHttp: Server;
beforeAll(async () => {
  const pages = {
    html: await page(200, '<!doctype html><title>Router</title>', { 'content-type': 'text/html' }),
    json: await page(200, '{"hello":1}', json),
    list: await page(200, '[1]', json),
    nulls: await page(200, '{"user":null,"etch":null,"etches":null,"page":null,"challenge":null}', json),
  };
  const redirect = await page(302, '', { location: pages.html.url });
  servers.push(...Object.values(pages), redirect);
  urls['redirect'] = redirect.url;
  for (const [name, server] of Object.entries(pages)) urls[name] = server.url;
  urls['tls'] = pages.html.url.replace('http:', 'https:');
  notHttp = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-Else\r\n'));
  await new Promise<void>((resolve) => notHttp.listen(0, '127.0.0.1', resolve));
  urls['ssh'] = `http://127.0.0.1:${(notHttp.address() as AddressInfo).port}`;
  const closed = await page(200, '', {});
  await closed.stop();
  urls['closed'] = closed.url;
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  notHttp.close();
});

describe.each([
  ['html', /answer/, ASKING],
  ['redirect', /redirect|answers in an unknown format/, ASKING.slice(0, 5)],
  ['json', /answer/, ASKING.slice(0, 5)],
  ['list', /answer/, ASKING.slice(0, 5)],
  ['nulls', /answer/, ASKING],
  // These are retried for some seconds.
  ['tls', /does not speak TLS; try http:/, ASKING.slice(0, 3)],
  ['ssh', /does not speak HTTP/, ASKING.slice(0, 3)],
  ['closed', /connection refused/, ASKING.slice(0, 1)],
])('at an address of another kind (%s)', (kind, said, asking) => {
  test('every command reports it in one line, once, without internals', async () => {
    const ask = async (args: string[]) => {
      const env = {
        SVC_BASE_URL: urls[kind]!,
        ...(args[0] !== 'register' && { SVC_API_KEY: 'svc_sk_test' }),
      };
      const { status, out, err } = await svcHere(args, { env });
      const shown = `${args.join(' ')}: ${err}`;
      expect([66, 69], shown).toContain(status);
      expect(out, shown).toBe('');
      expect(err, shown).toMatch(said);
      expect(err, shown).toMatch(/^svc: [^\n]+\n$/);
    };
    await Promise.all(asking.map(ask));
  });
});

describe.concurrent('an unreachable service ends with 69, not with 66, which means absent', () => {
  test.each(
    [
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
    ].map((line) => [line]),
  )('svc %s', async (line) => {
    const home = freshHome();
    const args = line
      .split(' ')
      .map((word) => word.replace('URL', urls['closed']!).replace('OUT', join(home, 'opening')));
    const env = {
      SVC_BASE_URL: urls['closed']!,
      ...(args[0] !== 'register' && { SVC_API_KEY: 'svc_sk_test' }),
    };
    await ends(svcHere(args, { env, home }), 69, { out: '' });
  });

  test('and an overloaded service too', async () => {
    const busy = await page(503, '{"error":{"code":"service_unavailable","message":"busy"}}', json);
    servers.push(busy);
    for (const target of [ID, 'abc234']) {
      await ends(svcHere(['verify', target], { env: { SVC_BASE_URL: busy.url } }), 69, { out: '' });
    }
  });
});

test('reports an error without a stack, and with one under SVC_DEBUG', async () => {
  const server = await page(200, '{"user":{},"etches":{},"account":7}', json);
  const ran = await svcHere(['whoami'], { env: { SVC_BASE_URL: server.url, SVC_API_KEY: 'svc_sk_test' } });
  await server.stop();
  expect(ran).toMatchObject({ status: 70, out: '' });
  expect(ran.err).toContain('SVC_DEBUG=1');
  expect(ran.err).not.toMatch(/^\s+at /m);
});

test('reports a possible effect only for requests that can change something', async () => {
  const env = { SVC_BASE_URL: urls['ssh']!, SVC_API_KEY: 'svc_sk_test' };
  expect((await svcHere(['whoami'], { env })).err).not.toContain('carried out');
  expect((await svcHere(['keys', 'create', 'x'], { env })).err).toContain('may have carried out the request');
});

describe('wrong usage ends with 64 and the correct usage', () => {
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
  ])('svc %s', async (line, said) => {
    const { err } = await ends(svcHere(line.split(' ').filter((word) => word !== '')), 64, {
      out: '',
      err: said,
    });
    expect(err.split('\n').filter((told) => /^(?:error|svc): /.test(told)).length, err).toBeLessThanOrEqual(
      1,
    );
  });
});
