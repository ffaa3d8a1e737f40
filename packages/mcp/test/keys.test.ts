import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyPairOf } from '@svc/sdk';
import { expect, test } from 'vitest';
import { newFolder } from '../../../testing/machine/folder.ts';
import { startServer } from '../../../testing/machine/server.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { useStdio } from './support/stdio.ts';
import { accessToken, text } from './support/tools.ts';

const service = useSharedService();
const { connect, connectHere, newAccount } = useStdio(service);

const kept = (home: string) =>
  JSON.parse(readFileSync(join(home, 'svc/profiles.json'), 'utf8')).profiles.default as Record<
    string,
    string
  >;

test('stores keys in the profile of svc, and never returns them', async () => {
  const home = newFolder('config');
  const first = await connect({ XDG_CONFIG_HOME: home });
  const account = await first.call('register', { display_name: 'Watcher' });
  expect(account.kept_in).toEqual({ profile: 'default', file: join(home, 'svc/profiles.json') });
  expect(statSync(account.kept_in.file).mode & 0o777).toBe(0o600);
  const { api_key, secret_key, username } = kept(home);
  expect(keyPairOf(secret_key!).publicKey).toBe(account.public_key);
  expect(username).toBe(account.untrusted.username);
  const me = await first.call('whoami');
  expect(me).toMatchObject({ kept_in: 'default', signs_with: account.public_key, service: service.url });

  const second = await connect({ XDG_CONFIG_HOME: home });
  expect((await second.call('whoami')).account.facts.id).toBe(account.user_id);
  expect(await second.call('limits')).toMatchObject({
    authenticated_with: { type: 'api_key', scope: 'write' },
  });
  await second.refusal('register');
  await second.raw('etch', { ...text, topic: api_key });
  await second.refusal('show', { id: 'no such etch' });

  // A person with only the secret key.
  const other = newFolder('config');
  const third = await connectHere({ XDG_CONFIG_HOME: other, SVC_SECRET_KEY: secret_key! });
  expect(await third.refusal('register')).toMatchObject({ code: 'conflict' });
  expect((await third.call('register', { recover: true })).user_id).toBe(account.user_id);
  expect((await third.call('whoami')).account.facts.id).toBe(account.user_id);
  const renewed = kept(other);
  expect(renewed).toMatchObject({ secret_key, base_url: service.url });
  expect(renewed['api_key']).not.toBe(api_key);
  const nobody = await connectHere();
  expect(await nobody.refusal('register', { recover: true })).toMatchObject({ code: 'bad_input' });

  const said = [first, second, third].map(({ transcript }) => transcript()).join();
  expect(said).toContain(account.public_key);
  for (const secret of [api_key!, secret_key!, renewed['api_key']!]) expect(said).not.toContain(secret);
  expect(said).not.toMatch(/svc_sk_[A-Za-z0-9_-]{8}/);
});

test('does not replace keys of a different account in the profile', async () => {
  const home = newFolder('config');
  await (await connectHere({ XDG_CONFIG_HOME: home })).call('register');
  const before = kept(home);
  const { SVC_SECRET_KEY } = await newAccount();
  const other = await connectHere({ XDG_CONFIG_HOME: home, SVC_SECRET_KEY });
  expect((await other.refusal('register', { recover: true })).message).toContain(
    'has a different secret key',
  );
  expect(kept(home)).toEqual(before);
  expect(other.transcript()).not.toContain(SVC_SECRET_KEY);
});

test('a session of svc login is renewed while the connection lasts, and never shown', async () => {
  const fresh = await accessToken(service, 'grace');
  let asked = 0;
  // This issuer accepts each refresh token once.
  const issuer = await startServer((request, response) => {
    const token = request.url === '/token';
    if (token) asked += 1;
    const answer = token
      ? { access_token: fresh, token_type: 'bearer', expires_in: 600, refresh_token: 'second' }
      : { issuer: issuer.url, token_endpoint: `${issuer.url}/token` };
    response.writeHead(token && asked > 1 ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  try {
    const home = newFolder('config');
    const session = { access_token: 'old', issuer: issuer.url, client_id: 'svc-cli' };
    const profileWith = (more: object) => ({ base_url: service.url, session: { ...session, ...more } });
    const keep = (more: object) =>
      writeFileSync(
        join(home, 'svc/profiles.json'),
        JSON.stringify({ current: 'default', profiles: { default: profileWith(more) } }),
        { mode: 0o600 },
      );
    mkdirSync(join(home, 'svc'));
    keep({ expires_at: Date.now() + 3_600_000, refresh_token: 'first' });
    const connection = await connectHere({ XDG_CONFIG_HOME: home });
    await connection.refusal('whoami');
    expect(asked).toBe(0);
    // The same connection, an hour later.
    keep({ expires_at: 1, refresh_token: 'first' });
    const answers = await Promise.all([connection.call('whoami'), connection.call('limits')]);
    expect(answers[0].account.untrusted.username).toBe('grace');
    expect(answers[1].authenticated_with).toEqual({ type: 'session' });
    expect(asked).toBe(1);
    expect((kept(home)['session'] as unknown as { refresh_token: string }).refresh_token).toBe('second');
    expect(connection.transcript()).not.toContain(fresh);
  } finally {
    await issuer.stop();
  }
});
