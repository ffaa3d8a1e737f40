import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { signedIn } from './ada.ts';
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

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (path: string, headers: Record<string, string>, body: string) =>
  fetch(service.baseUrl + path, { method: 'POST', headers, body, redirect: 'manual' });

it('forms without an origin have no effect', async () => {
  const ada = await signedIn(service, 'ada');
  const cookie = [...ada.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  expect((await post('/sign-out', { ...FORM, cookie }, '')).status).toBe(403);
  expect((await ada.open('/account')).status).toBe(200);
});

it('forms must be form-encoded', async () => {
  const ada = await signedIn(service, 'ada');
  const json = await ada.send('/account/name', {}, { 'content-type': 'application/json' });
  expect(json.status).toBe(415);
  const headers = { ...FORM, origin: service.baseUrl, accept: 'text/html' };
  expect((await post('/account/name', headers, 'display_name=%ff')).status).toBe(400);
});
