import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issuerKey } from '../../src/identity/issuer.ts';
import { startIssuer } from '../../../../testing/issuer/standalone-issuer.ts';
import { newReader } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';
import { eventually } from '../../../../testing/wait.ts';

test('treats different spellings of an issuer as one issuer', () => {
  const same = [
    'https://login.example/realm',
    'https://login.example/realm/',
    'https://login.example/realm//',
    'https://Login.EXAMPLE:443/realm',
    'HTTPS://login.example/realm',
  ];
  expect(new Set(same.map(issuerKey))).toEqual(new Set(['https://login.example/realm']));
  expect(issuerKey('https://login.example:8443/')).toBe('https://login.example:8443');
  for (const other of [
    'https://login.example/Realm',
    'https://login.example:80/realm',
    'http://login.example/realm',
  ])
    expect(issuerKey(other)).not.toBe(issuerKey(same[0]!));
  expect(issuerKey('embedded')).toBe('embedded');
});

let issuer: Awaited<ReturnType<typeof startIssuer>>;
// IDENTITY_ISSUER has one slash more than the issuer's own name.
const service = useService(async () => {
  issuer = await startIssuer();
  await issuer.stop();
  return { settings: { IDENTITY_ISSUER: `${issuer.url}/`, IDENTITY_CLIENT_ID: 'web' } };
});
beforeAll(() => issuer.restart());
afterAll(() => issuer.stop());

async function signInOnPages(sub: string): Promise<void> {
  await issuer.signIn({ sub, audience: service.baseUrl, claims: { preferred_username: sub } });
  const reader = newReader(service.baseUrl);
  const there = await eventually('the issuer is asked', async () => {
    const { location } = await reader.open('/sign-in/start?return=/account');
    return location?.startsWith(`${issuer.url}/authorize?`) && location;
  });
  const back = await fetch(there, { redirect: 'manual' });
  const shown = await reader.open(back.headers.get('location')!.slice(service.baseUrl.length));
  expect(shown.location, shown.text).toBe('/account');
}

async function idByToken(sub: string): Promise<string> {
  const key = await issuer.mint(service.baseUrl, { claims: { sub, preferred_username: sub } });
  return eventually(
    'the token is accepted',
    async () => (await service.get('/api/v1/me', key)).body.user?.id,
  );
}

const accounts = (sub: string) => service.db.query(sql`select id from account where subject = ${sub}`);

async function insertUnder(by: string, sub: string, username: string, createdAt: string): Promise<string> {
  const id = randomUUID();
  await service.db.query(sql`
    insert into account (id, kind, username, display_name, created_at, issuer, subject)
    values (${id}, 'human', ${username}, ${username}, ${createdAt}, ${by}, ${sub})`);
  return id;
}

describe('a person of an issuer that was down at startup and is configured with an extra slash', () => {
  test('keeps an account that was made under a different spelling of the issuer', async () => {
    const written = `${issuer.url.replace('http', 'HTTP')}//`;
    const id = await insertUnder(written, 'sue', 'sue_before', '2026-01-01T00:00:00Z');
    await insertUnder('https://elsewhere.example', 'sue', 'stranger', '2025-01-01T00:00:00Z');
    await signInOnPages('sue');
    expect(await idByToken('sue')).toBe(id);
    expect(await accounts('sue')).toHaveLength(2);
  });

  test('signs in to the account under the issuer’s own spelling when there are two', async () => {
    await insertUnder(`${issuer.url}/`, 'ann', 'ann_down', '2026-01-01T00:00:00Z');
    const used = await insertUnder(issuer.url, 'ann', 'ann_used', '2026-01-02T00:00:00Z');
    await signInOnPages('ann');
    expect(await idByToken('ann')).toBe(used);
    expect(await accounts('ann')).toHaveLength(2);
  });
});
