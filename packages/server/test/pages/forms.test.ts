import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { newReader, signedIn } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();

function postPaths(): string[] {
  const found: string[] = [];
  const above: string[] = [];
  for (const line of service.assembled.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part, methods] = /^([│├└─ ]*)(\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (part === undefined) continue;
    const depth = indent!.length / 4;
    above.splice(depth - 1, Infinity, part);
    if (part !== '*' && methods?.split(', ').includes('POST'))
      found.push(above.join('').replaceAll(/:\w+/g, () => randomUUID()));
  }
  return found;
}

/** Routes for programs, which read no cookie. */
const FOR_PROGRAMS = /^\/(api\/v1|identity|mcp|rpc)(\/|$)/;

it.each([
  ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a page without an origin', { origin: 'null' }],
  ['a neighbour on the same site', { 'sec-fetch-site': 'same-site' }],
  ['another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
])('forms from %s have no effect', async (_name, headers) => {
  const ada = await signedIn(service, 'ada');
  const forms = postPaths().filter((path) => !FOR_PROGRAMS.test(path));
  expect(forms).toEqual(expect.arrayContaining(['/write', '/sign-out', '/account/agents/unlink']));
  for (const path of forms) {
    const answer = await ada.send(path, { display_name: 'Mallory', target_type: 'category' }, headers);
    expect(answer.status, path).toBe(403);
    expect(answer.text).toContain('did not come from a page of');
  }
  expect((await ada.open('/account')).text).not.toContain('Mallory');
});

it('forms must be form-encoded, and have no effect without an origin', async () => {
  const ada = await signedIn(service, 'ada');
  const form = { 'content-type': 'application/x-www-form-urlencoded', cookie: ada.cookie() };
  const post = (path: string, raw: string, headers: Record<string, string> = {}) =>
    service.post(path, undefined, { raw, headers: { ...form, ...headers } });
  expect((await post('/sign-out', 'a=b')).status).toBe(403);
  expect((await ada.open('/account')).status).toBe(200);
  const origin = { origin: service.baseUrl };
  const json = await post('/account/name', '{}', { ...origin, 'content-type': 'application/json' });
  expect(json.status).toBe(415);
  expect((await post('/account/name', 'display_name=%ff', origin)).status).toBe(400);
});

it('a page at another loopback name of the same port leads to BASE_URL, data and files do not', async () => {
  const { port } = new URL(service.baseUrl);
  const other = newReader(`http://localhost:${port}`);
  const page = await other.open('/write?kind=text');
  expect([page.status, page.location]).toEqual([303, `${service.baseUrl}/write?kind=text`]);
  const json = await other.open('/', { accept: 'application/json' });
  expect(json.status).toBe(200);
  const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(
    (await newReader(service.baseUrl).open('/')).text,
  )!;
  expect((await other.open(style)).status).toBe(200);
});
