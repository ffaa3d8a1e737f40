import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { issuerKey } from '../../src/identity/issuer.ts';
import { startIssuer } from '../../../../testing/issuer/standalone-issuer.ts';
import { newReader } from '../../../../testing/clients/reader.ts';
import { startTestService, type TestService } from '../../../../testing/service/service.ts';
import { PATIENCE_MS } from '../../../../testing/wait.ts';

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

/** IDENTITY_ISSUER has one slash more than the issuer's own name. */
async function withLateIssuer(work: (world: World) => Promise<void>): Promise<void> {
  const issuer = await startIssuer();
  await issuer.stop();
  const { service, close } = await startTestService({
    settings: { IDENTITY_ISSUER: `${issuer.url}/`, IDENTITY_CLIENT_ID: 'web' },
  });
  try {
    await issuer.restart();
    await issuer.signIn({
      sub: 'somebody',
      audience: service.baseUrl,
      claims: { preferred_username: 'sue' },
    });
    await work({ service, issuer });
  } finally {
    await close();
    await issuer.stop();
  }
}

interface World {
  service: TestService;
  issuer: Awaited<ReturnType<typeof startIssuer>>;
}

async function signInOnPages({ service, issuer }: World): Promise<void> {
  const reader = newReader(service.baseUrl);
  let there: string | undefined;
  await expect
    .poll(async () => (there = (await reader.open('/sign-in/start?return=/account')).location), {
      timeout: PATIENCE_MS,
    })
    .toContain(`${issuer.url}/authorize?`);
  const back = await fetch(there!, { redirect: 'manual' });
  const shown = await reader.open(back.headers.get('location')!.slice(service.baseUrl.length));
  expect(shown.location, shown.text).toBe('/account');
}

async function idByToken({ service, issuer }: World): Promise<string> {
  const token = await issuer.mint(service.baseUrl, {
    claims: { sub: 'somebody', preferred_username: 'sue' },
  });
  const ask = () => service.call('GET', '/api/v1/me', undefined, { key: token });
  await expect.poll(async () => (await ask()).status, { timeout: PATIENCE_MS }).toBe(200);
  return (await ask()).body.user.id as string;
}

const accounts = ({ service }: World) =>
  service.db.query<{ id: string }>(
    sql`select id from account where subject = 'somebody' order by created_at`,
  );

async function insertUnder(
  world: World,
  issuer: string,
  username: string,
  createdAt: string,
): Promise<string> {
  const id = randomUUID();
  await world.service.db.query(sql`
    insert into account (id, kind, username, display_name, created_at, issuer, subject)
    values (${id}, 'human', ${username}, ${username}, ${createdAt}, ${issuer}, 'somebody')`);
  return id;
}

describe('a person of an issuer that was down at startup and is configured with an extra slash', () => {
  test('keeps an account that was made under a different spelling of the issuer', () =>
    withLateIssuer(async (world) => {
      const written = `${world.issuer.url.replace('http', 'HTTP')}//`;
      const id = await insertUnder(world, written, 'sue_before', '2026-01-01T00:00:00Z');
      await insertUnder(world, 'https://elsewhere.example', 'stranger', '2025-01-01T00:00:00Z');
      await signInOnPages(world);
      expect(await idByToken(world)).toBe(id);
      expect(await accounts(world)).toHaveLength(2);
    }));

  test('signs in to the account under the issuer’s own spelling when there are two', () =>
    withLateIssuer(async (world) => {
      await insertUnder(world, `${world.issuer.url}/`, 'sue_down', '2026-01-01T00:00:00Z');
      const used = await insertUnder(world, world.issuer.url, 'sue_used', '2026-01-02T00:00:00Z');
      await signInOnPages(world);
      expect(await idByToken(world)).toBe(used);
      expect(await accounts(world)).toHaveLength(2);
    }));
});
