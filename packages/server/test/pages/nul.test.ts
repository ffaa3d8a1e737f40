import { beforeAll, describe, expect, test } from 'vitest';
import { newReader, type Reader, signedIn } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';

/** No page may fail because an address or a form contains NUL or half a surrogate pair; PostgreSQL takes neither. */
const service = useService();
const BAD = ['a%00b', '%ED%A0%80'];
const NAMES =
  `q category status sort page limit cursor following kind show by from resolved return done away problem notice
  evidence url format maxwidth hash template toolsets code state error step theme`.split(/\s+/);
const FIELDS =
  `content description category_id reveal_at files challenge_id question step outcome source name url
  types public_key target_type target_id display_name return theme as_of`.split(/\s+/);

let stranger: Reader;
let person: Reader;
let values: Record<string, string>;
beforeAll(async () => {
  stranger = newReader(service.baseUrl);
  person = await signedIn(service, 'ada');
  const agent = await service.registerAgent();
  values = {
    'e/:id': (await service.etch(agent)).id,
    'ch/:id': (await service.ask(agent)).id,
    'topics/:id': 'science',
    ':username': agent.username,
    ':root': '0'.repeat(64),
    ':version': '0123456789abcdef',
    ':name': '2026-01-01',
  };
});

/** Reads the tree that Fastify prints, so that a new page is tested too. */
function routesOf(method: string): string[] {
  const parents: string[] = [];
  const lines = service.assembled.app.printRoutes({ commonPrefix: false }).split('\n');
  return lines.flatMap((line) => {
    const [, indent, path, methods] = /^([│ ]*)[├└]── (\S+) \((.*)\)$/.exec(line) ?? [];
    if (path === undefined) return [];
    const depth = indent!.length / 4;
    const whole = (depth === 0 ? '' : parents[depth - 1]!) + path.split('|')[0]!.replace(/\(\^.*?\$\)/, '');
    parents[depth] = whole;
    const isPage = !/^\/(api|\*|assets)|\/events$/.test(whole);
    return isPage && methods!.split(', ').includes(method) ? [whole] : [];
  });
}

const filled = (route: string, param?: string): string =>
  route.replace('docs/*', 'docs/README').replace(/(?:e\/|ch\/|topics\/)?:\w+/g, (found) => {
    const [before, name] = found.split(':') as [string, string];
    return before + (param ?? values[found] ?? values[`:${name}`] ?? 'x');
  });

type Requests = readonly { path: string; send?: string }[];

/** A 501 says that a form of an answer is not offered. */
async function expectNoFault(reader: Reader, requests: Requests): Promise<void> {
  const faults: string[] = [];
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: service.baseUrl };
  for (let from = 0; from < requests.length; from += 20)
    await Promise.all(
      requests.slice(from, from + 20).map(async ({ path, send }) => {
        const { status } = await (send === undefined
          ? reader.open(path)
          : reader.post(path, send, { ...headers, 'sec-fetch-site': 'same-origin' }));
        if (status >= 500 && status !== 501) faults.push(`${path} ${send ?? ''}: ${status}`);
      }),
    );
  expect(faults).toEqual([]);
}

const together = (names: readonly string[], bad: string): string =>
  names.map((name) => `${name}=${bad}`).join('&');

describe('NUL and halves of surrogate pairs', () => {
  test('in the parameters of a path', async () => {
    const routes = routesOf('GET').filter((route) => route.includes(':'));
    expect(routes.length).toBeGreaterThan(25);
    const requests = routes.flatMap((route) => BAD.map((bad) => ({ path: filled(route, bad) })));
    await expectNoFault(person, requests);
  });

  test('in the query of a page', async () => {
    const routes = routesOf('GET');
    expect(routes.length).toBeGreaterThan(60);
    const all = routes.flatMap((route) =>
      BAD.map((bad) => ({ path: `${filled(route)}?${together(NAMES, bad)}` })),
    );
    for (const reader of [stranger, person]) await expectNoFault(reader, all);
    const pages = [
      '/search',
      '/challenges',
      '/docs',
      '/topics/:id',
      '/trees',
      '/u/:username',
      '/ch/:id',
      '/e/:id',
    ];
    const own = ['/feed', '/write', '/sign-in', '/oembed', '/inbox', '/challenges/new'];
    const alone = [...pages, ...own].flatMap((route) =>
      NAMES.map((name) => ({ path: `${filled(route)}?${name}=a%00b` })),
    );
    await expectNoFault(person, alone);
  });

  test('in the fields of a form', async () => {
    const routes = routesOf('POST').filter((route) => !/^\/(mcp|rpc|identity)/.test(route));
    expect(routes.length).toBeGreaterThan(20);
    const all = routes.flatMap((route) =>
      BAD.map((bad) => ({ path: filled(route), send: together(FIELDS, bad) })),
    );
    for (const reader of [stranger, person]) await expectNoFault(reader, all);
    const alone = routes.flatMap((route) =>
      FIELDS.map((name) => ({ path: filled(route), send: `${name}=a%00b` })),
    );
    await expectNoFault(person, alone);
  });

  test('at the embedded issuer, the tools and the proxy of the chain', async () => {
    const start = (await stranger.open('/sign-in/start?return=/')).location!;
    const form = (await stranger.open(start)).location!;
    const asked = new URL(start, service.baseUrl);
    const changed = [...asked.searchParams.keys()].map((name) => {
      const url = new URL(asked);
      url.searchParams.set(name, 'a\0b');
      return { path: url.pathname + url.search };
    });
    const fields = 'username social_handle client_id code refresh_token token redirect_uri grant_type'.split(
      ' ',
    );
    const sent = [form, '/identity/token', '/identity/token/revocation'].flatMap((path) =>
      fields.map((name) => ({ path, send: `grant_type=authorization_code&${name}=a%00b` })),
    );
    await expectNoFault(stranger, [...changed, ...sent]);

    for (const bad of ['a\0b', '\ud800']) {
      const call = { name: 'search_etches', arguments: { q: bad } };
      const bodies = {
        '/identity/dev-token': { username: bad, social_handle: bad },
        '/identity/register': { client_name: bad, redirect_uris: [bad], scope: bad },
        '/mcp': { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
        '/rpc': { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: bad, data: bad }, bad] },
      };
      for (const [path, body] of Object.entries(bodies)) {
        const { status, text } = await stranger.post(path, JSON.stringify(body), {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        });
        expect(status, `${path}: ${text}`).toBeLessThan(500);
        expect(text).not.toContain('something failed on our side');
      }
    }
  });
});
