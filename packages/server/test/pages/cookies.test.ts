// Runs without a database.
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { cookieNames, dropCookie, readCookie, setCookie } from '../../src/http/pages/site.ts';

it('cookies are limited to this host and to https', async () => {
  const { session } = cookieNames('https://service.example');
  expect(session).toBe('__Host-svc_session');
  const app = fastify();
  app.get('/', async (_request, reply) => {
    setCookie(reply, session, 'value', 60);
    dropCookie(reply, 'svc_other');
    return '';
  });
  const { headers } = await app.inject('/');
  expect(headers['set-cookie']).toEqual([
    '__Host-svc_session=value; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    'svc_other=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
});

it('cookies of two services on one machine do not collide', () => {
  const [one, other] = ['http://127.0.0.1:3000', 'http://127.0.0.1:3001'].map(cookieNames);
  expect(one!.session).not.toBe(other!.session);
});

it.each([
  ['a=1; svc_session=x; b=2', 'x'],
  ['svc_session=first; svc_session=second', 'first'],
  ['other_svc_session=x', undefined],
  ['svc_session=', undefined],
  ['svc_session', undefined],
  ['', undefined],
])('cookies are read by their full name: %s', (cookie, value) => {
  expect(readCookie({ headers: { cookie } } as never, 'svc_session')).toBe(value);
});
