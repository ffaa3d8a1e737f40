// Runs on both databases.
import { beforeAll, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { follow, get, MINUTE, search, searchIds, sealedFor } from './support.ts';

const service = useService();
let ada: TestAgent;
let bo: TestAgent;

beforeAll(async () => {
  service.clock.set('2026-03-01T12:00:00.000Z');
  ada = await service.registerAgent();
  bo = await service.registerAgent();
});

const rows: [string, string, string[], string[]][] = [
  [
    'matches literally, ignoring case',
    'The Tide turns at NOON',
    ['tide TURNS', 'the tide', 'at noon', 'E T'],
    ['tide  turns', 'tideturns', 'turns the tide'],
  ],
  ['per cent is a sign', '100% sure', ['100%', '% s', '%'], ['100%sure', '1%s', '%%']],
  ['an underscore is a sign', 'snake_case here', ['snake_case', '_'], ['snakeXcase', '__', 'snake_c_se']],
  ['a backslash is a sign', 'C:\\temp\\new', ['c:\\temp', '\\', '\\new'], ['\\\\', '\\%']],
  [
    'matches a quote as punctuation',
    `it's "quoted"; drop table etch; --`,
    [`it's`, `"quoted"; drop table etch; --`],
    [`it''s`],
  ],
  ['an at sign inside', 'write to bob@example.org', ['bob@example', '@bob@example', '@'], ['@@bob']],
  [
    'German',
    'Die STRAẞE zum Größten',
    ['straße', 'größten', 'GRÖSSTEN'.replace('SS', 'ß')],
    ['strasse', 'grossten'],
  ],
  ['Turkish', 'DİYARBAKIR ılık', ['di̇yarbakir', 'DİYAR', 'ılık'], ['ilik']],
  ['Greek, a sigma at the end too', 'ΟΔΟΣ και οδός', ['οδοσ', 'οδος', 'Οδός'], ['οδoς']],
  ['Cyrillic', 'Прилив сменится', ['ПРИЛИВ', 'лив см', 'я'], ['Прилвв']],
  ['one ideograph', '潮は満ちる', ['潮', '満ち', '潮は満ちる'], ['満潮']],
  ['emoji, whole ones', 'up 📈 we go 👩‍🚀', ['📈', '📈 we', '👩‍🚀', '🚀'], ['📉', '📈we']],
  ['combining marks are not normalised', 'cafe\u0301', ['cafe\u0301', 'cafe'], ['caf\u00e9']],
];
test.each(rows)('%s', async (_, content, found, missed) => {
  const inText = await service.etch(ada, { content, description: 'Plain' });
  const inDescription = await service.etch(ada, { content: 'Plain', description: content });
  for (const q of [...found, ...missed]) {
    const ids = await searchIds(service, { q, limit: 100 });
    for (const { id } of [inText, inDescription]) expect(ids.includes(id), q).toBe(found.includes(q));
  }
});

test('finds a file in the short form by its SHA-256', async () => {
  const hash = '0a1b2c3d'.repeat(8);
  const content = `svc-files:v1\n${'f'.repeat(64)}  notes.txt\n${hash}  plans/weir.txt\n`;
  const etch = await service.etch(ada, { content });
  for (const q of [hash, hash.toUpperCase()]) expect(await searchIds(service, { q })).toEqual([etch.id]);
  expect(await searchIds(service, { q: hash.replace('d', 'e') })).toEqual([]);
});

test('never matches across description and text', async () => {
  const etch = await service.etch(ada, { description: 'first half', content: 'second half' });
  for (const q of ['halfsecond', 'half second', 'halfZsecond', 'half\nsecond'])
    expect(await searchIds(service, { q })).not.toContain(etch.id);
});

test('ignores a leading @', async () => {
  const { id } = await service.etch(ada, { content: 'plover and curlew' });
  const answer = { etches: [{ id }], query: { q: 'plover' } };
  expect(await search(service, { q: '@plover' })).toMatchObject(answer);
});

test('a sealed text matches in no list, total, order or account; it matches at its time without a scheduler', async () => {
  const secret = 'kestrelcanary';
  const words = { content: `I saw the ${secret}`, description: 'A bird' };
  const etch = await sealedFor(service, bo, 10 * MINUTE, words);
  await service.runTask('search');
  for (const sort of ['best', 'newest', 'oldest'])
    expect(await search(service, { q: secret, sort })).toMatchObject({ etches: [], page: { total: 0 } });
  const accounts = async () => (await get(service, 'search/accounts', { q: secret })).body;
  expect(await accounts()).toMatchObject({ accounts: [], page: { total: 0 } });
  expect(await searchIds(service, { q: 'a bird', status: 'sealed' })).toEqual([etch.id]);

  service.clock.advance(10 * MINUTE - 1);
  expect(await searchIds(service, { q: secret })).toEqual([]);
  service.clock.advance(1);
  const [found] = (await search(service, { q: secret })).etches;
  expect(found).toMatchObject({ id: etch.id, status: 'revealed', content: `I saw the ${secret}` });
  expect((await accounts()).accounts).toMatchObject([{ user_id: bo.userId, match_count: 1 }]);
  expect(await searchIds(service, { q: 'a bird', status: 'sealed' })).toEqual([]);
  expect(await searchIds(service, { q: 'a bird', status: 'revealed' })).toEqual([etch.id]);
});

test('finds an etch that became due before it was indexed', async () => {
  const etch = await sealedFor(service, bo, 6 * MINUTE, { content: 'unindexedheron' });
  service.clock.advance(7 * MINUTE);
  expect(await searchIds(service, { q: 'unindexedheron' })).toEqual([etch.id]);
});

test('a retracted text is gone at once; its description stays', async () => {
  const words = { content: 'retractedgodwit', description: 'About a wader, retracted' };
  const etch = await service.etch(bo, words);
  expect(await searchIds(service, { q: 'retractedgodwit' })).toEqual([etch.id]);
  expect((await service.retract(bo, etch.id)).status).toBe(200);
  expect((await search(service, { q: 'retractedgodwit' })).page.total).toBe(0);
  expect((await get(service, 'search/accounts', { q: 'retractedgodwit' })).body.page.total).toBe(0);
  const [found] = (await search(service, { q: 'wader, retracted', status: 'retracted' })).etches;
  expect(found).toMatchObject({ id: etch.id, status: 'retracted', content: null });
});

test('best: matching description before text, then occurrences, then newest first', async () => {
  const make = async (description: string, content: string): Promise<string> => {
    service.clock.advance(1_000);
    return (await service.etch(ada, { description, content })).id;
  };
  const often = await make('birds', 'oriole oriole oriole');
  const inBoth = await make('An oriole', 'and the oriole');
  const once = await make('birds', 'one oriole');
  const described = await make('The oriole', 'nothing');
  const onceLater = await make('birds', 'another oriole');
  for (const [sort, ids] of [
    ['best', [inBoth, described, often, onceLater, once]],
    ['newest', [onceLater, described, once, inBoth, often]],
    ['oldest', [often, inBoth, once, described, onceLater]],
  ] as const)
    expect(await searchIds(service, { q: 'Oriole', sort })).toEqual(ids);
  expect((await search(service, { q: 'Oriole', sort: 'loudest' })).query.sort).toBe('best');
});

test('topics: accepts a comma-separated list; returns 404 for an unknown topic', async () => {
  for (const category_id of ['crypto', 'sports', 'ai'])
    await service.etch(ada, { content: 'filterwren', category_id });
  const { etches } = await search(service, { q: 'filterwren', category: 'crypto,sports' });
  expect(etches.map(({ category }) => category.id).sort()).toEqual(['crypto', 'sports']);
  expect((await get(service, 'search', { category: 'crypto,nonsense' })).status).toBe(404);
});

test('status: returns 400 for an unknown status', async () => {
  expect((await get(service, 'search', { status: 'revealed,hidden' })).status).toBe(400);
});

test.each('page=0 page=x page=-1 limit=0 limit=101 limit=1e1'.split(' '))(
  'returns 400 for %s',
  async (query) => {
    expect((await service.get(`/api/v1/search?${query}`)).status).toBe(400);
  },
);

test('following: only followed accounts; returns 401 without credentials', async () => {
  const reader = await service.registerAgent();
  await follow(service, reader, bo);
  const mine = await service.etch(bo, { content: 'followedsiskin' });
  await service.etch(ada, { content: 'followedsiskin' });
  expect(await searchIds(service, { q: 'followedsiskin', following: 1 }, reader.key)).toEqual([mine.id]);
  const all = await search(service, { following: 1, limit: 100 }, reader.key);
  expect(new Set(all.etches.map((etch) => etch.author.user_id))).toEqual(new Set([bo.userId]));
  expect(all.page.total).toBe(all.etches.length);
  expect((await get(service, 'search', { following: 1 })).status).toBe(401);
  const alone = await service.registerAgent();
  expect((await search(service, { following: 1 }, alone.key)).page.total).toBe(0);
});
