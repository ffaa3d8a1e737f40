import { beforeAll, expect, it, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { HTML } from './shared-record.ts';
import { newReader } from '../../../../testing/clients/reader.ts';
import { textOf } from '../../../../testing/views.ts';

const service = useService({ chain: true });
const get = (path: string, headers: Record<string, string> = HTML) => service.get(path, { headers });
const links = (html: string, pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, id]) => id!);
const LEAF = /<li><a href="\/e\/([0-9a-f-]{36})">/g;

const many: string[] = [];
let alone: { id: string; root: string; tombstone: string };

beforeAll(async () => {
  const agent = await service.registerAgent();
  const made = await Promise.all(Array.from({ length: 101 }, () => service.etch(agent)));
  many.push(...made.map(({ id }) => id));
  await service.anchor();
  const { id } = await service.etch(agent);
  await service.anchor();
  await service.retract(agent, id);
  await service.anchor();
  const { chain } = await service.read(id);
  alone = { id, root: chain.root, tombstone: chain.revocation_root };
});

test('trees offer the words of a public etch in the lesson, and never of a retracted one', async () => {
  await service.runTask('search');
  const { text } = await get('/verify/how');
  const [, id] = /<a href="\/e\/([0-9a-f-]{36})\/verify">/.exec(text)!;
  expect(many).toContain(id);
  const { content, hash, chain } = await service.read(id!);
  expect(text).toContain(`>${content}</textarea>`);
  for (const [name, value] of Object.entries({ hash, root: chain.root }))
    expect(text).toContain(`&quot;${name}&quot;:&quot;${value}&quot;`);
});

test('trees are listed newest first, in pages, and as data', async () => {
  const { status, text } = await get('/trees?limit=2');
  expect(status).toBe(200);
  expect(links(text, /<a href="(\/trees\/[^"]+)">/g)).toEqual([
    `/trees/${alone.tombstone}?kind=1`,
    `/trees/${alone.root}`,
  ]);
  expect(text).toContain('1 retraction');
  const next = /href="(\/trees\?cursor=[^"]+)"/.exec(text)![1]!;
  expect((await get(next)).text).toContain('101 etches');

  const data = (await get('/trees', { accept: 'application/json' })).body;
  expect(data).toEqual((await service.get('/api/v1/batches')).body);
  expect((await get('/trees?limit=no')).status).toBe(400);
});

test('trees show all leaves, a hundred a page, and the data on the chain', async () => {
  const { root, attestation_uid: uid } = (await service.read(many[0]!)).chain;
  const first = await get(`/trees/${root}`);
  expect(first.status).toBe(200);
  expect(first.text.replaceAll('</span><span>', '')).toContain(uid);
  const second = await get(`/trees/${root.toUpperCase()}?page=2`);
  expect(links(first.text, LEAF)).toHaveLength(100);
  expect([...links(first.text, LEAF), ...links(second.text, LEAF)].sort()).toEqual([...many].sort());
  expect(links((await get(`/trees/${root}?page=3`)).text, LEAF)).toEqual([]);
  expect((await get(`/trees/${root}?page=0`)).status).toBe(400);

  const { batch, leaves } = (await get(`/trees/${root}`, { accept: 'application/json' })).body;
  const { leaves: all, ...api } = (await service.get(`/api/v1/batches/${root}`)).body.batch;
  expect({ ...batch, leaves: all }).toEqual({ ...api, leaves: all });
  const hashes = all.slice(0, 100).map(({ hash }: { hash: string }) => ({ hash }));
  expect(leaves).toMatchObject(hashes);
});

test('trees are separated by kind for an etch and its tombstone; an unknown root returns 404', async () => {
  expect((await get(`/trees/${alone.root}`)).text).toContain('1 etch, anchored together');
  const tombstone = await get(`/trees/${alone.tombstone}?kind=1`);
  expect(tombstone.text).toContain('1 retraction, anchored together');
  expect(links(tombstone.text, LEAF)).toEqual([alone.id]);
  for (const path of [`/trees/${'0'.repeat(64)}`, '/trees/abc', `/trees/${alone.root}?kind=2`])
    expect([400, 404], path).toContain((await get(path)).status);
  expect((await get(`/e/${alone.id}`)).text).toContain(`/trees/${alone.tombstone}?kind=1`);
});

const reader = newReader(() => service.baseUrl);

it('shows the scopes that an account declared, and how later ones changed them', async () => {
  const [author, other, third] = await service.agents(3);
  const page = async () => textOf((await reader.open(`/u/${author.username}`)).text);
  const declare = async (...lines: string[]) => {
    const { id } = await service.etch(author, { content: ['svc-scope:v1', ...lines].join('\n') });
    await service.anchor();
    return id;
  };
  const account = ({ userId, username }: typeof other) => `account ${userId} ${username}`;
  expect(await page()).not.toContain('declared its record complete');

  await service.seal(author, { content: 'svc-scope:v1\nsubject Sealed' });
  await declare('subject Own', account(author));
  await declare('subject Malformed', 'account nobody');
  expect(await page()).not.toContain('declared its record complete');

  const first = await declare('subject Rain <b>', account(other), 'domain example.org');
  const names = `The scope lists this account, @${other.username}`;
  const declared = `This account declared its record complete: Rain <b> ?, on [^.]*\\. ${names} and the domain example.org`;
  expect(await page()).toMatch(new RegExp(declared));
  await declare('subject Rain <b>', account(other), account(third), 'domain example.org');
  const widened = `Rain <b> ?, on [^,]*, widened on [^.]*\\. ${names}, @${third.username}`;
  expect(await page()).toMatch(new RegExp(widened));
  await declare('subject Rain <b>', account(other), 'domain example.org');
  expect(await page()).toContain(`: it drops the account ${third.username} (${third.userId})`);
  expect(await page()).toContain(`svc audit --scope ${first}`);
});

it('groups submissions to forecast hubs by round, and says whether they were on time', async () => {
  const [author] = await service.agents(1);
  const submit = async (round: string, model: string, closes: string) => {
    const window = `opens=2001-01-01T00:00:00Z closes=${closes}`;
    const content = `svc-hub:v1 hub=org/flu-hub round=${round} model=${model} file=${'ab'.repeat(32)} ${window}`;
    return (await service.etch(author, { content })).id;
  };
  const first = await submit('2026-01-03', 'weir-ar', '2999-01-01T00:00:00Z');
  const page = async (path: string) => textOf((await reader.open(path)).text);
  expect(await page(`/e/${first}`)).toMatch(
    /Hub ?org\/flu-hub.*Round ?2026-01-03.*Model ?weir-ar.*Submitted ?not anchored yet/s,
  );
  const late = await submit('2001-01-10', 'weir-ar', '2001-01-02T00:00:00Z');
  await submit('2026-01-03', 'weir-gbq', '2999-01-01T00:00:00Z');
  await service.anchor();
  expect(await page(`/e/${first}`)).toMatch(/Submitted ?on time/);
  expect(await page(`/e/${late}`)).toMatch(/Submitted ?late, by \d+ d/);
  const record = await page(`/u/${author.username}`);
  const group = record.slice(record.indexOf('Submissions to forecast hubs'));
  expect(group).toMatch(
    /round 2026-01-03.*weir-gbq ?on time.*weir-ar ?on time.*round 2001-01-10.*weir-ar ?late, by/s,
  );
  const partly = 'Only the etches that this page of the record lists';
  expect(record).not.toContain(partly);
  expect(await page(`/u/${author.username}?limit=1`)).toContain(partly);
});
