import sql from 'sql-template-tag';
import { afterEach, describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { useIssuer } from '../../../../testing/issuer/standalone-issuer.ts';
import { PROVIDERS } from './provider-answers.ts';

const service = useService();
const me = async (key: string) => (await service.get('/api/v1/me', key)).body.user;

test('a person gets an account at the first sign-in, and the same one later', async () => {
  const ada = await service.signIn('ada');
  expect(ada.username).toBe('ada');
  expect((await service.signIn('Ada')).userId).toBe(ada.userId);
  const social = { social_handle: null, social_linked: false };
  expect(await me(ada.token)).toMatchObject({ id: ada.userId, display_name: 'ada', ...social });
});

test('a person changes only the display name', async () => {
  const { key } = await service.signIn('ada');
  const changes = { display_name: 'Ada of the harbour', username: 'root', social_handle: 'someone' };
  const answer = await service.call('PATCH', '/api/v1/me', changes, { key });
  expect(answer.status).toBe(200);
  const user = { username: 'ada', display_name: 'Ada of the harbour', social_handle: null };
  expect(answer.body.user).toMatchObject(user);
  expect(await me(key)).toMatchObject(user);
});

describe('POST /me/social at the embedded issuer', () => {
  const sync = (key: string) => service.post('/api/v1/me/social', undefined, key);

  test('copies the handle and the time of its verification', async () => {
    const social = { social_handle: '@ada_s', social_verified_at: '2026-01-02T05:04:05+02:00' };
    const { key } = await service.signIn('ada', social);
    const linked = { social_linked: true, social_verified_at: '2026-01-02T03:04:05.000+00:00' };
    expect((await sync(key)).body.user).toMatchObject({ social_handle: 'ada_s', ...linked });
    const verified = {
      social_verified: true,
      verified: true,
      social_verified_at: '2026-01-02T03:04:05.000Z',
    };
    expect((await service.etch({ key })).author).toMatchObject({ social_handle: 'ada_s', ...verified });
  });

  test('counts a handle without a time as verified now', async () => {
    service.clock.set('2026-05-06T07:08:09.123Z');
    const { token } = await service.signIn('now', { social_handle: 'now_s' });
    service.clock.release();
    const me = await service.get('/api/v1/me', token);
    expect(me.body.user.social_verified_at).toBe('2026-05-06T07:08:09.123+00:00');
  });

  test('raises the allowance, and lowers it when the handle is gone', async () => {
    const { token } = await service.signIn('riser');
    const expectLimits = async (verified: boolean, per_day: number) => {
      const { body } = await service.get('/api/v1/me/limits', token);
      expect(body).toMatchObject({ account: { verified }, etches: { per_day } });
    };
    await expectLimits(false, 100);
    await service.signIn('riser', { social_handle: 'riser_s' });
    await expectLimits(true, 250);
    const gone = { social_handle: null, social_verified_at: null, social_linked: false };
    expect((await sync((await service.signIn('riser')).token)).body.user).toMatchObject(gone);
    await expectLimits(false, 100);
  });

  test('rejects agents, and API keys where a person’s own token is required', async () => {
    const agent = await service.registerAgent();
    expect((await sync(agent.key)).status).toBe(403);
    const { token } = await service.signIn('keyholder', { social_handle: 'kept' });
    const made = await service.post('/api/v1/me/keys', { name: 'k', scope: 'write' }, token);
    const error = { message: expect.stringContaining('session token') };
    expect(await sync(made.body.api_key)).toMatchObject({ status: 403, body: { error } });
    expect((await service.get('/api/v1/me', token)).body.user.social_handle).toBe('kept');
  });
});

describe('POST /me/social with the userinfo of an outside issuer', () => {
  const issuer = useIssuer();
  const claims = { IDENTITY_SOCIAL_CLAIM: 'nick', IDENTITY_SOCIAL_VERIFIED_CLAIM: 'nick_at' };
  const service = useService(async () => ({
    settings: { IDENTITY_ISSUER: (await issuer.ready).url, ...claims },
  }));
  const tokenFor = (sub: string) =>
    issuer.mint(service.baseUrl, { by: 'ES256', claims: { sub, preferred_username: sub } });
  const sync = (key: string) => service.post('/api/v1/me/social', undefined, key);

  afterEach(() => issuer.answer('/userinfo'));

  test.each([
    ['a time', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000+00:00'],
    ['seconds since 1970', 1767323045, '2026-01-02T03:04:05.000+00:00'],
    ['that it is not', false, null],
  ])('reads the configured claims, with %s', async (_name, nickAt, expected) => {
    await issuer.userinfo('reader', { nick: 'reader_s', nick_at: nickAt, social_handle: 'not_this' });
    const user = { social_handle: 'reader_s', social_verified_at: expected };
    expect(await sync(await tokenFor('reader'))).toMatchObject({ status: 200, body: { user } });
  });

  test('clears a handle that is gone, and changes nothing while the issuer is away', async () => {
    await issuer.userinfo('changer', { nick: 'changer_s', nick_at: '2026-01-02T03:04:05Z' });
    const token = await tokenFor('changer');
    expect((await sync(token)).body.user.social_handle).toBe('changer_s');
    const me = async () => (await service.get('/api/v1/me', token)).body.user;
    const before = await me();

    for (const profile of [
      { status: 500, body: {} },
      { status: 429, body: {} },
      { text: '<html>' },
      { body: [] },
      { body: { sub: 'somebody else', nick: 'stolen' } },
      { body: { nick: 'no subject' } },
      { body: { sub: 'changer', nick: 7 } },
      { body: { sub: 'changer', nick: 'ok', nick_at: 'yesterday' } },
      // Milliseconds where seconds are expected: a year with five digits.
      { body: { sub: 'changer', nick: 'ok', nick_at: 1767323045123 } },
      { redirect: 'http://127.0.0.1:9/' },
    ]) {
      await issuer.answer('/userinfo', profile);
      const away = { status: 503, body: { error: { code: 'service_unavailable' } } };
      expect(await sync(token), JSON.stringify(profile)).toMatchObject(away);
    }
    expect(await me()).toEqual(before);

    await issuer.answer('/userinfo');
    await issuer.userinfo('changer', {});
    expect((await sync(token)).body.user).toMatchObject({ social_handle: null, social_linked: false });
  });

  test('returns 403 if the issuer rejects the token', async () => {
    const token = await tokenFor('refused');
    for (const status of [401, 403]) {
      await issuer.answer('/userinfo', { status, body: { error: 'invalid_token' } });
      const error = { message: expect.stringContaining('identity provider') };
      expect(await sync(token)).toMatchObject({ status: 403, body: { error } });
    }
  });
});

describe('POST /me/social with keycloak', () => {
  const issuer = useIssuer();
  const answers = PROVIDERS.keycloak;
  const path = answers.path(answers.subject);
  const social = { SOCIAL_PROVIDER: answers.provider, SOCIAL_ADMIN_TOKEN: 'admin-token' };
  const service = useService(async () => {
    const { url } = await issuer.ready;
    const SOCIAL_ADAPTER = `keycloak=${url}${path.split('/users')[0]}`;
    return { settings: { IDENTITY_ISSUER: url, SOCIAL_ADAPTER, ...social } };
  });
  const claims = { sub: answers.subject, preferred_username: 'ada' };
  const signIn = () => issuer.mint(service.baseUrl, { by: 'ES256', claims });
  const sync = (key: string) => service.post('/api/v1/me/social', undefined, key);

  test('links, clears and keeps the handle, with a session or a key', async () => {
    const token = await signIn();
    await issuer.answer(path, { body: answers.linked });
    const linked = await sync(token);
    expect(linked.status, linked.text).toBe(200);
    expect(linked.body.user).toMatchObject({ social_handle: answers.handle, social_linked: true });
    const [request] = await issuer.requests(path);
    expect(request!.authorization).toBe('Bearer admin-token');

    const made = await service.post('/api/v1/me/keys', { name: 'k' }, token);
    expect((await sync(made.body.api_key)).body.user.social_handle).toBe(answers.handle);

    for (const away of [{ status: 500, body: {} }, answers.refused]) {
      await issuer.answer(path, away);
      expect((await sync(token)).status).toBe(503);
    }
    const me = await service.get('/api/v1/me', token);
    expect(me.body.user.social_handle).toBe(answers.handle);

    await issuer.answer(path, answers.unknownUser);
    const cleared = await sync(token);
    expect(cleared.body.user).toMatchObject({ social_handle: null, social_verified_at: null });
    expect(service.log.join('\n')).not.toContain('admin-token');
  });

  test('makes no request for an account of a different issuer', async () => {
    const token = await signIn();
    const made = await service.post('/api/v1/me/keys', { name: 'k' }, token);
    await service.db.query(sql`update account set issuer = 'https://former.example' where kind = 'human'`);
    const before = (await issuer.requests(path)).length;
    expect((await sync(made.body.api_key)).status).toBe(403);
    expect((await issuer.requests(path)).length).toBe(before);
  });
});
