import sql from 'sql-template-tag';
import { afterEach, describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { useIssuer } from '../../../../testing/issuer/standalone-issuer.ts';
import { PROVIDERS } from './provider-answers.ts';

describe('POST /me/social at the embedded issuer', () => {
  const service = useService();
  const sync = (key: string) => service.post('/api/v1/me/social', undefined, key);

  test('copies the handle and the time of its verification', async () => {
    const social = { social_handle: '@ada_s', social_verified_at: '2026-01-02T05:04:05+02:00' };
    const { token } = await service.signIn('ada', social);
    const answer = await sync(token);
    const linked = { social_handle: 'ada_s', social_linked: true };
    expect(answer.body.user).toMatchObject({
      ...linked,
      social_verified_at: '2026-01-02T03:04:05.000+00:00',
    });
    const etch = await service.etch({ key: token });
    const verified = {
      social_verified_at: '2026-01-02T03:04:05.000Z',
      social_verified: true,
      verified: true,
    };
    expect(etch.author).toMatchObject({ social_handle: 'ada_s', ...verified });
  });

  test('counts a handle without a time as verified now', async () => {
    service.clock.set('2026-05-06T07:08:09.123Z');
    const { token } = await service.signIn('now', { social_handle: 'now_s' });
    service.clock.release();
    const me = await service.get('/api/v1/me', token);
    expect(me.body.user.social_verified_at).toBe('2026-05-06T07:08:09.123+00:00');
  });

  test('raises the allowance, and lowers it when the handle is gone', async () => {
    const limits = async (key: string) => (await service.get('/api/v1/me/limits', key)).body;
    const { token } = await service.signIn('riser');
    expect(await limits(token)).toMatchObject({ account: { verified: false }, etches: { per_day: 100 } });
    await service.signIn('riser', { social_handle: 'riser_s' });
    expect(await limits(token)).toMatchObject({ account: { verified: true }, etches: { per_day: 250 } });

    const again = await service.signIn('riser');
    const answer = await sync(again.token);
    const gone = { social_handle: null, social_verified_at: null, social_linked: false };
    expect(answer.body.user).toMatchObject(gone);
    expect(await limits(token)).toMatchObject({ account: { verified: false }, etches: { per_day: 100 } });
  });

  test('rejects agents, and API keys where a person’s own token is required', async () => {
    const agent = await service.registerAgent();
    expect((await sync(agent.key)).status).toBe(403);
    const { token } = await service.signIn('keyholder', { social_handle: 'kept' });
    const made = await service.post('/api/v1/me/keys', { name: 'k', scope: 'write' }, token);
    const answer = await sync(made.body.api_key);
    expect(answer.status).toBe(403);
    expect(answer.body.error.message).toContain('session token');
    const me = await service.get('/api/v1/me', token);
    expect(me.body.user.social_handle).toBe('kept');
  });
});

describe('POST /me/social with the userinfo of an outside issuer', () => {
  const issuer = useIssuer();
  const service = useService(async () => ({
    settings: {
      IDENTITY_ISSUER: (await issuer.ready).url,
      IDENTITY_SOCIAL_CLAIM: 'nick',
      IDENTITY_SOCIAL_VERIFIED_CLAIM: 'nick_at',
    },
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
    const answer = await sync(await tokenFor('reader'));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.user).toMatchObject({ social_handle: 'reader_s', social_verified_at: expected });
  });

  test('clears a handle that is gone, and changes nothing while the issuer is away', async () => {
    await issuer.userinfo('changer', { nick: 'changer_s', nick_at: '2026-01-02T03:04:05Z' });
    const token = await tokenFor('changer');
    expect((await sync(token)).body.user.social_handle).toBe('changer_s');
    const before = (await service.get('/api/v1/me', token)).body.user;

    for (const told of [
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
      await issuer.answer('/userinfo', told);
      const answer = await sync(token);
      expect(answer.status, JSON.stringify(told)).toBe(503);
      expect(answer.body.error.code).toBe('service_unavailable');
    }
    const after = (await service.get('/api/v1/me', token)).body.user;
    expect(after).toEqual(before);

    await issuer.answer('/userinfo');
    await issuer.userinfo('changer', {});
    expect((await sync(token)).body.user).toMatchObject({ social_handle: null, social_linked: false });
  });

  test('returns 403 if the issuer rejects the token', async () => {
    const token = await tokenFor('refused');
    for (const status of [401, 403]) {
      await issuer.answer('/userinfo', { status, body: { error: 'invalid_token' } });
      const answer = await sync(token);
      expect(answer.status).toBe(403);
      expect(answer.body.error.message).toContain('identity provider');
    }
  });
});

describe('POST /me/social with keycloak', () => {
  const issuer = useIssuer();
  const answers = PROVIDERS.keycloak;
  const service = useService(async () => ({
    settings: {
      IDENTITY_ISSUER: (await issuer.ready).url,
      SOCIAL_ADAPTER: `keycloak=${(await issuer.ready).url}${adminRoot()}`,
      SOCIAL_PROVIDER: answers.provider,
      SOCIAL_ADMIN_TOKEN: 'admin-token',
    },
  }));
  const path = answers.path(answers.subject);
  function adminRoot(): string {
    return answers.path('').split('/admin/users')[0]!.split('/users')[0]!;
  }
  const signIn = () =>
    issuer.mint(service.baseUrl, {
      by: 'ES256',
      claims: { sub: answers.subject, preferred_username: 'ada' },
    });
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

    await issuer.answer(path, { status: 500, body: {} });
    expect((await sync(token)).status).toBe(503);
    await issuer.answer(path, answers.refused);
    expect((await sync(token)).status).toBe(503);
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
