import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { forms } from './support.ts';

const service = useService({ chain: true });
const CANARY = 'canary-7f3a the lighthouse burns at midnight';
const HOUR = 3_600_000;

test('a sealed etch hides text, salt and time in every answer, to every caller', async () => {
  const author = await service.registerAgent();
  const revealAt = service.at(HOUR);
  const digest = createHash('sha256').update(CANARY).digest('hex');
  const signature = author.sign(`svc-sig:v1|${author.userId}|${digest}`);
  const sealed = { content: CANARY, description: 'A guess', category_id: 'other', mode: 'delayed' };
  const create = () =>
    service.post(
      '/api/v1/etches',
      { ...sealed, reveal_at: revealAt, signature },
      { key: author.key, headers: { 'idempotency-key': 'sealed-1' } },
    );
  const created = await create();
  const { id } = created.body.etch;
  await service.anchor();
  const replay = await create();
  expect(replay.headers.get('idempotent-replay')).toBe('true');
  const answers = [
    created,
    replay,
    await service.get(`/api/v1/etches/${id}`, author.key),
    await service.get(`/api/v1/verify/${id}`),
    await service.post(`/api/v1/etches/${id}/reveal`, undefined, author.key),
  ];
  const [createdAt] = await service.db.column<string>(sql`select created_at from etch where id = ${id}`);
  const seen = answers.map((answer) => `${JSON.stringify([...answer.headers])}${answer.text}`).join('\n');
  // canary.test.ts reads every other operation, every page, the log and the tables.
  for (const secret of [...forms(CANARY), ...forms(signature), createdAt!])
    expect(seen).not.toContain(secret);
  const etch = answers[2]!.body.etch;
  expect(etch).toMatchObject({
    status: 'sealed',
    content: null,
    salt: null,
    created_at: null,
    revealed_at: null,
    canonical_string: null,
    signature: null,
    created_on: createdAt!.slice(0, 10),
    reveal_at: revealAt,
  });
  const verification = answers[3]!.body;
  const unknown = { canonical_string: null, recomputed_hash: null, recomputed_hash_matches: false };
  expect(verification).toMatchObject({ ...unknown, reconstructable: false });
  const verdicts = [{ verdict: 'info', badge: 'sealed' }, { verdict: 'pass' }, { verdict: 'pass' }];
  expect(verification.checks).toMatchObject(verdicts);
});

test('is revealed by the clock before its row is written, and verifies', async () => {
  const author = await service.registerAgent();
  const revealAt = service.clock.now() + HOUR;
  const etch = await service.seal(author, { content: CANARY, reveal_at: new Date(revealAt).toISOString() });
  await service.anchor();
  const read = async () => await service.read(etch.id);
  service.clock.set(revealAt - 1);
  expect((await read()).status).toBe('sealed');
  service.clock.set(revealAt);
  const revealed = await read();
  expect(revealed).toMatchObject({ status: 'revealed', content: CANARY, revealed_at: revealed.reveal_at });
  const verification = (await service.get(`/api/v1/verify/${etch.id}`)).body;
  expect(verification.checks.map(({ badge }: any) => badge)).toEqual(['match', 'included', 'attested']);
  const row = () =>
    service.db.first(sql`select status, content, revealed_at, sealed from etch where id = ${etch.id}`);
  expect(await row()).toMatchObject({ status: 'sealed' });
  await service.runTask('reveal');
  const opened = { status: 'revealed', content: CANARY, revealed_at: revealed.reveal_at, sealed: null };
  expect(await row()).toEqual(opened);
  expect(await read()).toEqual(revealed);
  service.clock.release();
});

test('stays sealed when its stored value is damaged, while others are revealed and lists work', async () => {
  const author = await service.registerAgent();
  const revealAt = service.clock.now() + HOUR;
  const fields = { mode: 'delayed', reveal_at: new Date(revealAt).toISOString() };
  const [broken, whole] = [await service.etch(author, fields), await service.etch(author, fields)];
  await service.db.query(sql`update etch set sealed = sha256(sealed) where id = ${broken.id}`);
  service.clock.set(revealAt);
  expect(await service.read(broken.id)).toMatchObject({ status: 'sealed', content: null, salt: null });
  await service.runTask('reveal');
  await service.runTask('reveal');
  const rows = await service.db.query(
    sql`select id, status, unreadable from etch where user_id = ${author.userId} order by unreadable`,
  );
  expect(rows).toEqual([
    { id: whole.id, status: 'revealed', unreadable: false },
    { id: broken.id, status: 'sealed', unreadable: true },
  ]);
  // The second run skips it.
  expect(service.log.filter((line) => line.includes(broken.id))).toHaveLength(1);
  const headers = { authorization: `Bearer ${author.key}` };
  const asked = await fetch(`${service.baseUrl}/api/v1/etches/${broken.id}/reveal`, {
    method: 'POST',
    headers,
  });
  expect(asked.status).toBe(500);
  expect((await service.get('/api/v1/search?q=tide')).status).toBe(200);
  const record = await service.get(`/api/v1/users/${author.username}/etches`);
  const statuses = record.body.etches.map((etch: { status: string }) => etch.status).sort();
  expect(statuses).toEqual(['revealed', 'sealed']);
  for (const path of [`/e/${broken.id}`, `/u/${author.username}`, `/u/${author.username}/record.md`])
    expect((await service.get(path)).status, path).toBe(200);
  service.clock.release();
});

test('a sealed etch does not reveal its time by the start of a chain failure', async () => {
  const author = await service.registerAgent();
  const now = Date.parse('2026-06-01T12:00:00.000Z');
  service.clock.set(now);
  const sealed = await service.seal(author, { reveal_at: service.at(9 * HOUR) });
  const open = await service.etch(author);
  await service.db.query(
    sql`update chain_state set failing_since = ${new Date(now - 2 * HOUR).toISOString()}`,
  );
  const status = async (id: string) => (await service.read(id)).chain.status;
  expect([await status(sealed.id), await status(open.id)]).toEqual(['failed', 'pending']);
  service.clock.set(now + HOUR + 1);
  expect([await status(sealed.id), await status(open.id)]).toEqual(['failed', 'failed']);
  await service.db.query(sql`update chain_state set failing_since = null`);
  service.clock.release();
});
