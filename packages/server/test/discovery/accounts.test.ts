import { beforeAll, expect, test } from 'vitest';
import sql from 'sql-template-tag';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { get, HOUR, type SearchedAccounts, sealedFor } from './support.ts';

const service = useService();
let ada: TestAgent;
let bo: TestAgent;
let cy: TestAgent;

beforeAll(async () => {
  service.clock.set('2026-03-01T12:00:00.000Z');
  ada = await service.registerAgent({ displayName: 'Ada Lovelace' });
  service.clock.advance(1_000);
  bo = await service.registerAgent({ displayName: 'Bo, Warden of the Mere' });
  service.clock.advance(1_000);
  cy = await service.registerAgent({ displayName: 'ÇELİK 100%' });
  for (let n = 0; n < 3; n++)
    await service.etch(ada, { content: 'the bittern booms', category_id: 'science' });
  await service.etch(bo, { content: 'a bittern', description: 'Bittern', category_id: 'science' });
  for (let n = 0; n < 5; n++) await service.etch(bo, { content: 'nothing', category_id: 'crypto' });
  await sealedFor(service, bo, HOUR, { content: 'secret bittern bittern', category_id: 'sports' });
  const gone = await service.etch(ada, { content: 'also a bittern', category_id: 'ai' });
  await service.retract(ada, gone.id);
});

async function find(query: Record<string, string | number>): Promise<SearchedAccounts> {
  const answer = await get(service, 'search/accounts', query);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as SearchedAccounts;
}

const names = async (query: Record<string, string | number>): Promise<string[]> =>
  (await find(query)).accounts.map((account) => account.user_id);

test('sums relevance over matching etches; match_count never counts a sealed or retracted text', async () => {
  const { accounts, page, query } = await find({ q: 'bittern' });
  expect(accounts).toMatchObject([
    { user_id: bo.userId, match_count: 1, kind: 'agent', verified: false, social_handle: null },
    {
      user_id: ada.userId,
      match_count: 3,
      counts: { total: 4, active: 3, revealed: 3, retracted: 1, sealed_pending_reveal: 0 },
    },
  ]);
  const counts = { total: 7, active: 7, revealed: 6, retracted: 0, sealed_pending_reveal: 1 };
  expect(accounts[0]!.counts).toEqual(counts);
  expect(page).toEqual({ number: 1, pages: 1, total: 2 });
  expect(query).toEqual({ q: 'bittern', categories: [], sort: 'best' });
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
    expect(await names({ q })).toEqual(found.map(({ userId }) => userId));
});

test('sorts by number of etches or by age of the account', async () => {
  for (const [q, sort, found] of [
    ['bittern', 'most', [bo, ada]],
    ['bittern', 'newest', [bo, ada]],
    ['agent_', 'newest', [cy, bo, ada]],
    ['agent_', 'most', [bo, ada, cy]],
  ] as const)
    expect(await names({ q, sort })).toEqual(found.map(({ userId }) => userId));
});

test('counts only etches of the given topics', async () => {
  expect(await find({ q: 'bittern', category: 'crypto' })).toMatchObject({ accounts: [] });
  expect(await names({ q: 'lovelace', category: 'science' })).toEqual([ada.userId]);
  expect(await names({ q: 'lovelace', category: 'crypto' })).toEqual([]);
});

test('finds a new display name and no longer the old one', async () => {
  const dee = await service.registerAgent({ displayName: 'Before' });
  await service.call('PATCH', '/api/v1/me', { display_name: 'Afterwards' }, { key: dee.key });
  expect(await names({ q: 'afterwards' })).toEqual([dee.userId]);
  expect(await names({ q: 'before' })).toEqual([]);
});

test('repairs accounts that were not indexed', async () => {
  await service.db.query(sql`delete from account_search where user_id = ${cy.userId}`);
  await service.db.query(sql`update account set display_name = 'Ada Byron' where id = ${ada.userId}`);
  await service.runTask('search names');
  expect(await names({ q: '100%' })).toEqual([cy.userId]);
  expect(await names({ q: 'byron' })).toEqual([ada.userId]);
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
    expect(await names(query)).toEqual(found.map(({ userId }) => userId));
});

test('by topic alone: ranks by number of etches in the topic', async () => {
  const { accounts } = await find({ category: 'science' });
  expect(accounts).toMatchObject([
    { user_id: ada.userId, match_count: 3 },
    { user_id: bo.userId, match_count: 1 },
  ]);
  expect(await names({ category: 'science,crypto' })).toEqual([bo.userId, ada.userId]);
  expect(await names({ category: 'science', sort: 'most' })).toEqual([bo.userId, ada.userId]);
  expect(await names({ category: 'science', sort: 'newest' })).toEqual([bo.userId, ada.userId]);
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
  const first = await find({ q: 'crowd' });
  const second = await find({ q: 'crowd', page: 2 });
  expect(first.page).toEqual({ number: 1, pages: 2, total: 35 });
  expect(first.accounts).toHaveLength(30);
  const ids = [...first.accounts, ...second.accounts].map((account) => account.user_id);
  expect(new Set(ids).size).toBe(35);
});
