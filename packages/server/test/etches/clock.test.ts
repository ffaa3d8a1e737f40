import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { afterEach, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const MINUTE = 60_000;
const NOW = Date.parse('2026-06-01T12:00:00.123Z');

afterEach(() => service.clock.release());

const text = { content: 'x', description: 'y', category_id: 'other' };
const delayed = (reveal_at: unknown) => ({ ...text, mode: 'delayed', reveal_at });
const inMinutes = (minutes: number) => ({
  mode: 'delayed',
  reveal_at: new Date(NOW + minutes * MINUTE).toISOString(),
});

test('reveal_at must be at least exactly five minutes ahead', async () => {
  const { key } = await service.registerAgent();
  service.clock.set(NOW);
  const at = (lead: number) =>
    service.post('/api/v1/etches', delayed(new Date(NOW + lead).toISOString()), key);
  expect((await at(5 * MINUTE)).status).toBe(201);
  const early = await at(5 * MINUTE - 1);
  expect(early.status).toBe(400);
  expect(early.body.error.details[0].path).toBe('reveal_at');
});

test('reveal_at accepts offsets and returns UTC', async () => {
  const { key } = await service.registerAgent();
  service.clock.set(NOW);
  const answer = await service.post('/api/v1/etches', delayed('2026-06-01T20:00:00.5+02:00'), key);
  expect(answer.body.etch.reveal_at).toBe('2026-06-01T18:00:00.500Z');
});

test.each([
  '2026-07-01',
  '2026-07-01T12:00:00',
  '2026-02-30T12:00:00Z',
  '2026-07-01T25:00:00Z',
  'tomorrow',
  1_800_000_000,
  '',
  null,
])('rejects %s', async (revealAt) => {
  const { key } = await service.registerAgent();
  expect((await service.post('/api/v1/etches', delayed(revealAt), key)).status).toBe(400);
});

test('is rejected for an instant etch unless it is null', async () => {
  const { key } = await service.registerAgent();
  const post = (revealAt: unknown) =>
    service.post('/api/v1/etches', { ...delayed(revealAt), mode: 'instant' }, key);
  expect((await post('2099-01-01T00:00:00Z')).status).toBe(400);
  expect((await post(null)).status).toBe(201);
});

test('reveal returns 403 for other accounts, 422 before the time and the text after it', async () => {
  const [author, stranger] = await service.agents(2);
  service.clock.set(NOW);
  const etch = await service.etch(author, inMinutes(10));
  const reveal = (key: string) => service.post(`/api/v1/etches/${etch.id}/reveal`, undefined, key);
  expect((await reveal(stranger.key)).status).toBe(403);
  expect((await reveal(author.key)).status).toBe(422);
  service.clock.set(NOW + 10 * MINUTE);
  expect((await reveal(stranger.key)).status).toBe(403);
  const revealed = await reveal(author.key);
  expect(revealed.status).toBe(200);
  expect(revealed.body.etch).toMatchObject({ status: 'revealed', content: 'The tide turns.' });
  expect((await reveal(author.key)).status).toBe(200);
  const unknown = await service.post('/api/v1/etches/not-a-uuid/reveal', undefined, author.key);
  expect(unknown.status).toBe(404);
});

test('an instant etch is revealed at its creation, and a retraction hides that time', async () => {
  const author = await service.registerAgent();
  const etch = await service.etch(author);
  expect(etch.revealed_at).toBe(etch.created_at);
  const retracted = await service.retract(author, etch.id);
  expect(retracted.body.etch).toMatchObject({
    status: 'retracted',
    content: null,
    salt: null,
    created_at: null,
    revealed_at: null,
    canonical_string: null,
    signature: null,
    hash: etch.hash,
    description: etch.description,
    created_on: etch.created_on,
    chain: { revocation_status: 'pending' },
  });
  expect((await service.retract(author, etch.id)).status).toBe(422);
  expect((await service.post(`/api/v1/etches/${etch.id}/reveal`, undefined, author.key)).status).toBe(422);
  const reader = await service.registerAgent();
  expect((await service.retract(reader, etch.id)).status).toBe(403);
});

test('a retracted etch keeps its reveal time only if it was due, whether the row was written or not', async () => {
  const author = await service.registerAgent();
  service.clock.set(NOW);
  const fields = inMinutes(10);
  const [early, late] = [await service.etch(author, fields), await service.etch(author, fields)];
  const retract = async (id: string) => (await service.retract(author, id)).body.etch;
  expect((await retract(early.id)).revealed_at).toBeNull();
  service.clock.set(NOW + 11 * MINUTE);
  expect((await retract(late.id)).revealed_at).toBe(fields.reveal_at);
  await service.runTask('reveal');
  for (const { id } of [early, late]) {
    const row = sql`select status, content, salt, sealed, signature from etch where id = ${id}`;
    const erased = { status: 'retracted', content: null, salt: null, sealed: null, signature: null };
    expect(await service.db.one(row)).toEqual(erased);
  }
});

test('reveal and retract never restore a retracted text when they run in parallel', async () => {
  const author = await service.registerAgent();
  service.clock.set(NOW);
  const etches = await Promise.all(Array.from({ length: 20 }, () => service.etch(author, inMinutes(6))));
  service.clock.set(NOW + 7 * MINUTE);
  await Promise.all([
    service.runTask('reveal'),
    ...etches.map(({ id }) => service.retract(author, id)),
    service.runTask('reveal'),
  ]);
  await service.runTask('reveal');
  const rows = await service.db.query<{ status: string; content: string | null }>(
    sql`select status, content from etch where id = any(${etches.map(({ id }) => id)}::uuid[])`,
  );
  expect(rows).toEqual(Array(20).fill({ status: 'retracted', content: null }));
});

test('created_at is the exact text that was hashed', async () => {
  const author = await service.registerAgent();
  for (const at of ['2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.120Z', '2026-12-31T23:59:59.999Z']) {
    service.clock.set(at);
    const { id } = await service.etch(author);
    const { etch } = (await service.get(`/api/v1/etches/${id}`)).body;
    expect(etch.created_at).toBe(at);
    expect(etch.created_on).toBe(at.slice(0, 10));
    expect(etch.canonical_string).toBe(`svc:v1|${author.userId}|${at}|${etch.salt}|The tide turns.`);
  }
});

test('keeps the reveal time of an etch that became due while its retraction waited', async () => {
  const agent = await service.registerAgent();
  service.clock.set(NOW);
  const { id, reveal_at: revealAt } = await service.etch(agent, inMinutes(5));
  let retracted: ReturnType<typeof service.call> | undefined;
  await service.db.tx(async (tx) => {
    await tx.query(sql`select 1 from etch where id = ${id} for update`);
    retracted = service.retract(agent, id);
    await sleep(500);
    service.clock.advance(5 * MINUTE);
  });
  expect((await retracted!).body.etch).toMatchObject({ status: 'retracted', revealed_at: revealAt });
});
