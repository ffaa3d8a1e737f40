import { beforeAll, expect, it } from 'vitest';
import type { SignInClient } from '../../src/identity/web-session/client.ts';
import { createWebSessions, type WebSessions } from '../../src/identity/web-session/sessions.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
let sessions: WebSessions;
let value: string;
const shown: (string | undefined)[] = [];

const tokensOf = (at: number) => ({
  ...{ access: `access ${at}`, refresh: `refresh ${at}`, id: undefined },
  expiresAt: service.clock.now() + 600_000,
});
// The refresh tokens of most issuers work once.
const refresh: SignInClient['refresh'] = async (tokens) => tokensOf(shown.push(tokens.refresh));

beforeAll(async () => {
  const { userId } = await service.signIn('ada');
  const people = { of: async () => ({ user_id: userId }) } as never;
  const { config, db, clock, keyring } = service;
  const parts = { config, db, clock, keyring, log: { warn: () => undefined } };
  sessions = createWebSessions(parts, { refresh } as SignInClient, people);
  value = await sessions.begin({ subject: 'ada', claims: {}, tokens: tokensOf(0) }, undefined);
});

it('uses the renewed token for a session that was read before, and uses no refresh token twice', async () => {
  const one = (await sessions.find(value))!;
  const other = (await sessions.find(value))!;
  expect(await other.token()).toBe('access 0');
  service.clock.advance(11 * 60_000);
  expect(await one.token()).toBe('access 1');
  expect(await other.token()).toBe('access 1');
  expect(shown).toEqual(['refresh 0']);
  service.clock.advance(11 * 60_000);
  expect(await (await sessions.find(value))!.token()).toBe('access 2');
  expect(shown).toEqual(['refresh 0', 'refresh 1']);
});
