import { randomUUID } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { findBoundKeys } from '../../src/accounts/idempotency-store.ts';
import { createOfficialAccounts } from '../../src/accounts/official.ts';
import { createPeople } from '../../src/accounts/people-store.ts';
import type { Tx } from '../../src/db/db.ts';
import { Failure } from '../../src/platform/failure.ts';
import type { Claims, Issuer } from '../../src/identity/issuer.ts';
import { plansOf } from '../../../../testing/database/plans.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { useService } from '../../../../testing/service/service.ts';
import { useIssuer } from '../../../../testing/issuer/standalone-issuer.ts';

describe('people seen for the first time', () => {
  const db = useDatabase();
  const reject = () => Promise.reject(new Error('not asked'));
  const name = async () => 'https://issuer.example/';
  const silent: Issuer = { key: 'https://issuer.example', name, verify: reject, userinfo: reject };
  const process = (issuer: Issuer = silent) =>
    createPeople({ db, clock: { now: () => Date.now() }, issuer, socialClaim: 'social_handle' });
  const session = (subject: string, claims: Claims = {}) => ({ subject, claims: { ...claims } });

  const processes = Array.from({ length: 4 }, () => process());
  const inParallel = (count: number, of: (at: number) => ReturnType<typeof session>) =>
    Promise.all(Array.from({ length: count }, (_, at) => processes[at % 4]!.of(of(at), 'token')));

  test('get one account when several processes see them in parallel', async () => {
    const subject = randomUUID();
    const found = await inParallel(40, () => session(subject, { preferred_username: 'crowd' }));
    expect(new Set(found.map((person) => person.user_id)).size).toBe(1);
    expect(await db.query(sql`select 1 from account where subject = ${subject}`)).toHaveLength(1);
  });

  test('get different usernames when they want the same one in parallel', async () => {
    const found = await inParallel(24, (at) => session(`wants-${at}`, { preferred_username: 'Wanted' }));
    const names = found.map((person) => person.username);
    expect(new Set(names).size).toBe(24);
    expect(names).toContain('wanted');
    for (const name of names) expect(name).toMatch(/^wanted\d*$/);
  });

  test('keep their username when the claim changes', async () => {
    const before = await process().of(session('renamed', { preferred_username: 'before' }), 'token');
    const after = await process().of(session('renamed', { preferred_username: 'after' }), 'token');
    expect(after).toEqual(before);
  });

  test('get a generated username when the issuer returns none', async () => {
    const mute = { ...silent, userinfo: async () => Promise.reject(new Failure('forbidden', 'no')) };
    const person = await process(mute).of(session('nameless'), 'token');
    expect(person.username).toMatch(/^user_[0-9a-f]{12}$/);
  });

  test('get no account while the issuer cannot be reached', async () => {
    const away = { ...silent, userinfo: async () => Promise.reject(new Failure('service_unavailable', 'x')) };
    await expect(process(away).of(session('early'), 'token')).rejects.toThrow(Failure);
    expect(await db.query(sql`select 1 from account where subject = 'early'`)).toHaveLength(0);
  });

  // A connection keeps its plans, so a plan from an empty table must also suit a large one.
  test('have their bound keys found by index, also with a plan made when the table was empty', async () => {
    for (const table of ['idempotency', 'idempotency_guess']) await db.query(raw(`vacuum analyze ${table}`));
    const keys = Array.from({ length: 64 }, () => ({ userId: randomUUID(), key: randomUUID() }));
    const plans = await db.tx(async (tx) => {
      // All sessions of the service do this (db/sessions.ts).
      await tx.query(raw('set local enable_seqscan = off'));
      return plansOf(tx, (watched) => findBoundKeys(watched as Tx, keys, Date.now()));
    });
    const byIndex = /Index Cond: \(\(user_id = v\.user_id\) AND \(key = v\.key\)\)/;
    expect(plans).toEqual([expect.stringMatching(byIndex)]);
  });
});

const issuer = useIssuer();
const service = useService(async () => ({ settings: { IDENTITY_ISSUER: (await issuer.ready).url } }));

describe('people of an outside issuer', () => {
  const userOf = async (claims: Record<string, unknown>) => {
    const token = await issuer.mint(service.baseUrl, { by: 'ES256', claims });
    const answer = await service.get('/api/v1/me', token);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.user;
  };

  test.each([
    ['Grace Höpper', 'grace_hopper', 'Grace Höpper'],
    ['  @Ada\u202e\n Lovelace ', 'ada_lovelace', 'Ada Lovelace'],
    ['ada@example.org', expect.stringMatching(/^user_/), expect.stringMatching(/^user_/)],
  ])('are shown with the name as they typed it: %j', async (typed, username, displayName) => {
    const claims = { sub: `typed-${typed}`, preferred_username: typed, name: 'Of No Concern' };
    expect(await userOf(claims)).toMatchObject({ username, display_name: displayName });
  });

  test('get the name from userinfo, requested once, when the token has none', async () => {
    await issuer.userinfo('by-userinfo', { preferred_username: 'asked', email: 'asked@example.org' });
    const before = (await issuer.requests('/userinfo')).length;
    for (let time = 0; time < 2; time++)
      expect((await userOf({ sub: 'by-userinfo' })).username).toBe('asked');
    expect((await issuer.requests('/userinfo')).length).toBe(before + 1);
  });
});

test('OFFICIAL_ACCOUNTS accepts usernames and user ids', async () => {
  const [byName, byId, other] = await service.agents(3);
  const set = new Set([byName.username, byId.userId, '00000000-0000-4000-8000-000000000000']);
  const official = createOfficialAccounts(service.db, set);
  await official.refresh();
  expect([byName, byId, other].map(({ username }) => official.has(username))).toEqual([true, true, false]);
});
