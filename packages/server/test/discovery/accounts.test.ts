import { beforeAll, expect, test } from 'vitest';
import sql from 'sql-template-tag';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { get, HOUR, type Query, sealedFor } from './support.ts';

const service = useService();
let ada: TestAgent;
let bo: TestAgent;
let cy: TestAgent;

beforeAll(async () => {
  service.clock.set('2026-03-01T12:00:00.000Z');
  const register = (displayName: string) => (
    service.clock.advance(1_000),
    service.registerAgent({ displayName })
  );
  ada = await register('Ada Lovelace');
  bo = await register('Bo, Warden of the Mere');
  cy = await register('ÇELİK 100%');
  for (let n = 0; n < 3; n++)
    await service.etch(ada, { content: 'the bittern booms', category_id: 'science' });
  await service.etch(bo, { content: 'a bittern', description: 'Bittern', category_id: 'science' });
  for (let n = 0; n < 5; n++) await service.etch(bo, { content: 'nothing', category_id: 'crypto' });
  await sealedFor(service, bo, HOUR, { content: 'secret bittern bittern', category_id: 'sports' });
  const gone = await service.etch(ada, { content: 'also a bittern', category_id: 'ai' });
  await service.retract(ada, gone.id);
});

async function find(query: Query) {
  const answer = await get(service, 'search/accounts', query);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function expectFound(query: Query, found: readonly TestAgent[]): Promise<void> {
  const accounts: { user_id: string }[] = (await find(query)).accounts;
  expect(accounts.map(({ user_id: id }) => id)).toEqual(found.map(({ userId }) => userId));
}

test('sums relevance over matching etches; match_count never counts a sealed or retracted text', async () => {
  const ofBo = { total: 7, active: 7, revealed: 6, retracted: 0, sealed_pending_reveal: 1 };
  const ofAda = { total: 4, active: 3, revealed: 3, retracted: 1, sealed_pending_reveal: 0 };
  const agent = { kind: 'agent', verified: false, social_handle: null };
  expect(await find({ q: 'bittern' })).toMatchObject({
    accounts: [
      { user_id: bo.userId, match_count: 1, ...agent, counts: ofBo },
      { user_id: ada.userId, match_count: 3, ...agent, counts: ofAda },
    ],
    page: { number: 1, pages: 1, total: 2 },
    query: { q: 'bittern', categories: [], sort: 'best' },
  });
});

test('a matching name outranks etches, for any order and case of its words', async () => {
  for (const [q, found] of [
    ['LOVELACE ada', [ada]],
    ['warden', [bo]],
    ['çeli̇k', [cy]],
    ['100%', [cy]],
    ['warden lovelace', []],
    ['a'.repeat(5_000), []],
    [Array.from({ length: 3_000 }, (_, n) => n).join(' '), []],
  ] as const)
    await expectFound({ q }, found);
});

test('sorts by number of etches or by age of the account', async () => {
  for (const [q, sort, found] of [
    ['bittern', 'most', [bo, ada]],
    ['bittern', 'newest', [bo, ada]],
    ['agent_', 'newest', [cy, bo, ada]],
    ['agent_', 'most', [bo, ada, cy]],
  ] as const)
    await expectFound({ q, sort }, found);
});

test('counts only etches of the given topics', async () => {
  await expectFound({ q: 'bittern', category: 'crypto' }, []);
  await expectFound({ q: 'lovelace', category: 'science' }, [ada]);
  await expectFound({ q: 'lovelace', category: 'crypto' }, []);
});

test('finds a new display name and no longer the old one', async () => {
  const dee = await service.registerAgent({ displayName: 'Before' });
  await service.call('PATCH', '/api/v1/me', { display_name: 'Afterwards' }, { key: dee.key });
  await expectFound({ q: 'afterwards' }, [dee]);
  await expectFound({ q: 'before' }, []);
});

test('repairs accounts that were not indexed', async () => {
  await service.db.query(sql`delete from account_search where user_id = ${cy.userId}`);
  await service.db.query(sql`update account set display_name = 'Ada Byron' where id = ${ada.userId}`);
  await service.runTask('search names');
  await expectFound({ q: '100%' }, [cy]);
  await expectFound({ q: 'byron' }, [ada]);
});

test('finds @ with the beginning of a username or social handle', async () => {
  await service.db.query(sql`update account set social_handle = 'Mere_Warden' where id = ${bo.userId}`);
  await service.runTask('search names');
  for (const [query, found] of [
    [{ q: `@${ada.username.slice(0, 12)}` }, [ada]],
    [{ q: '@mere_w' }, [bo]],
    [{ q: '@MERE_WARDEN' }, [bo]],
    [{ q: '@warden' }, []],
    [{ q: '@mere%' }, []],
    [{ q: '@mere_w', category: 'crypto' }, [bo]],
    [{ q: '@mere_w', category: 'ai' }, []],
  ] as const)
    await expectFound(query, found);
});

test('by topic alone: ranks by number of etches in the topic', async () => {
  expect((await find({ category: 'science' })).accounts).toMatchObject([
    { user_id: ada.userId, match_count: 3 },
    { user_id: bo.userId, match_count: 1 },
  ]);
  await expectFound({ category: 'science,crypto' }, [bo, ada]);
  for (const sort of ['most', 'newest']) await expectFound({ category: 'science', sort }, [bo, ada]);
  const page = { number: 2, pages: 1, total: 2 };
  expect(await find({ category: 'science', page: 2 })).toMatchObject({ accounts: [], page });
});

test.each([{}, { q: '' }, { q: '  ' }, { category: 'nonsense' }, { sort: 'most' }])(
  'returns 400 for %o, without words or a topic',
  async (query) => {
    expect((await get(service, 'search/accounts', query)).status).toBe(400);
  },
);

test('returns 30 accounts a page, each once', async () => {
  for (let n = 0; n < 35; n++) await service.registerAgent({ displayName: 'Crowd' });
  const ids = new Set<string>();
  for (const [number, length] of [30, 5].entries()) {
    const { page, accounts } = await find({ q: 'crowd', page: number + 1 });
    expect(page).toEqual({ number: number + 1, pages: 2, total: 35 });
    expect(accounts).toHaveLength(length);
    for (const { user_id: id } of accounts) ids.add(id);
  }
  expect(ids.size).toBe(35);
});
