import { afterEach, describe, expect, test } from 'vitest';
import type { Failure } from '../../src/platform/failure.ts';
import { createOutsideIssuer } from '../../src/identity/outside-issuer.ts';
import { useService } from '../../../../testing/service/service.ts';
import { type Minting, useIssuer } from '../../../../testing/issuer/standalone-issuer.ts';

const AUDIENCE = 'https://svc.example';
const outside = useIssuer();
const mint = (minting?: Minting) => outside.mint(AUDIENCE, minting);
const open = (times: { freshMs?: number; staleMs?: number; pauseMs?: number } = {}) =>
  createOutsideIssuer({
    url: outside.url,
    audience: AUDIENCE,
    clients: [],
    baseUrl: AUDIENCE,
    log: { warn() {} },
    ...times,
  });
type Issuer = ReturnType<typeof open>;
/** `ok`, or the code of the failure. */
const verified = async (issuer: Issuer, token: string | Promise<string> = mint()): Promise<string> =>
  issuer.verify(await token).then(
    () => 'ok',
    (error: Failure) => error.code,
  );
const jwksRequests = async () => (await outside.requests('/jwks')).length;

const DISCOVERY = '/.well-known/openid-configuration';

afterEach(async () => {
  for (const path of [DISCOVERY, '/jwks', '/userinfo']) await outside.answer(path);
});

test('keys are fetched once for many concurrent sign-ins', async () => {
  const issuer = open();
  const before = await jwksRequests();
  const token = await mint();
  await Promise.all(Array.from({ length: 30 }, () => issuer.verify(token)));
  expect(await jwksRequests()).toBe(before + 1);
});

test('keys may rotate: a new key works at once', async () => {
  const issuer = open();
  await issuer.verify(await mint());
  await outside.rotate();
  expect((await issuer.verify(await mint({ claims: { sub: 'after' } }))).subject).toBe('after');
});

test('keys do not work after the issuer withdrew them and they were fetched again', async () => {
  const issuer = open({ freshMs: 0, staleMs: 0 });
  const old = await mint();
  await issuer.verify(old);
  await outside.rotate();
  expect(await verified(issuer, old)).toBe('unauthorized');
});

test('keys are fetched a few times for unknown keys, not each time', async () => {
  const issuer = open({ pauseMs: 3_600_000 });
  await issuer.verify(await mint());
  const before = await jwksRequests();
  for (let round = 0; round < 12; round++) {
    const token = mint({ by: 'ES256', header: { kid: `unknown-${round}` } });
    expect(await verified(issuer, token)).toBe('unauthorized');
  }
  const asked = (await jwksRequests()) - before;
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThanOrEqual(5);
  expect(await verified(issuer)).toBe('ok');
});

test('keys are found for a token that names no key', async () => {
  await outside.rotate({ keep: true });
  const header = { kid: null };
  expect(await verified(open(), mint({ header }))).toBe('ok');
  expect(await verified(open(), mint({ header, stranger: true }))).toBe('unauthorized');
});

test('keys work while the issuer is away, up to a limit', async () => {
  const [patient, strict] = [open({ freshMs: 0, staleMs: 3_600_000 }), open({ freshMs: 0, staleMs: 0 })];
  for (const issuer of [patient, strict]) expect(await verified(issuer)).toBe('ok');
  await outside.answer(DISCOVERY, { status: 500, body: {} });
  expect(await verified(patient)).toBe('ok');
  expect(await verified(strict)).toBe('service_unavailable');
});

test('keys are not fetched for a token that is clearly meant for a different service', async () => {
  const issuer = open();
  await issuer.prepare();
  const before = await jwksRequests();
  for (const minting of [
    { claims: { iss: 'https://other.example' }, header: { kid: 'x' } },
    { header: { alg: 'HS256', kid: 'x' } },
    { header: { alg: 'none', kid: 'x' } },
  ])
    expect(await verified(issuer, mint(minting))).toBe('unauthorized');
  expect(await jwksRequests()).toBe(before);
});

describe('an unusable issuer returns 503, not 401', () => {
  test.each<[string, string, object]>([
    ['discovery fails', DISCOVERY, { status: 500, body: {} }],
    ['discovery is not there', DISCOVERY, { status: 404, body: {} }],
    ['discovery is no JSON', DISCOVERY, { text: '<html>' }],
    ['discovery is elsewhere', DISCOVERY, { redirect: 'http://127.0.0.1:9/' }],
    ['discovery names another issuer', DISCOVERY, { body: { issuer: 'https://other.example' } }],
    ['discovery names no keys', DISCOVERY, { body: {} }],
    ['discovery has no end', DISCOVERY, { text: `"${'x'.repeat(600_000)}"` }],
    ['keys fail', '/jwks', { status: 503, body: {} }],
    ['keys are no key set', '/jwks', { body: { keys: 'none' } }],
  ])('when %s', async (_name, path, answer) => {
    await outside.answer(path, answer);
    const issuer = open({ pauseMs: 0 });
    expect(await verified(issuer)).toBe('service_unavailable');
    await outside.answer(path);
    expect(await verified(issuer)).toBe('ok');
  });

  test('and it is not fetched again during a pause', async () => {
    await outside.answer('/jwks', { status: 500, body: {} });
    const issuer = open({ pauseMs: 3_600_000 });
    const before = await jwksRequests();
    for (let round = 0; round < 3; round++) expect(await verified(issuer)).toBe('service_unavailable');
    expect(await jwksRequests()).toBe(before + 1);
  });

  test('when it does not answer', async () => {
    await outside.answer('/jwks', { hang: true });
    expect(await verified(open())).toBe('service_unavailable');
  });
});

describe('a service whose issuer is down', () => {
  const service = useService({ settings: { IDENTITY_ISSUER: 'http://127.0.0.1:9' } });

  test('answers 503 to people and works for agents', async () => {
    const token = await outside.mint(service.baseUrl, { claims: { iss: 'http://127.0.0.1:9' } });
    const answer = await service.get('/api/v1/me', token);
    expect(answer.status).toBe(503);
    expect(answer.body.error.code).toBe('service_unavailable');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const agent = await service.registerAgent();
    expect((await service.get('/api/v1/me', agent.key)).status).toBe(200);
    expect(service.log.join('\n')).toContain('IDENTITY_ISSUER: people cannot sign in now');
  });
});
