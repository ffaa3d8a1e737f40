import { createHash } from 'node:crypto';
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { createRevocationFile, replayRevocations } from '../../src/accounts/key-store.ts';
import { forgetEndedSessions } from '../../src/identity/revocation-store.ts';
import { remember } from '../../../../testing/database/older.ts';
import { newReader, type Reader, signedIn as signedInAt } from '../../../../testing/clients/reader.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { useService } from '../../../../testing/service/service.ts';

const sha256 = (value: string) => createHash('sha256').update(value).digest('hex');

const service = useService();
const folder = newFolder('revocations');

const lines = async (file: string) => (await readFile(file, 'utf8')).trimEnd().split('\n');
const issue = async (agent: TestAgent) =>
  (await service.post('/api/v1/me/keys', { name: 'lent', scope: 'write' }, agent.key)).body;
const revoke = async (agent: TestAgent, id: string) =>
  (await service.call('DELETE', `/api/v1/me/keys/${id}`, undefined, { key: agent.key })).body.key;
const works = async (key: string) => (await service.get('/api/v1/me', key)).status;
const isSignedIn = async (reader: Reader) => (await reader.open('/account')).status;
async function signedIn(name: string): Promise<{ reader: Reader; thief: Reader; cookie: string }> {
  const [reader, thief] = [await signedInAt(service, name), newReader(service.baseUrl)];
  for (const [cookie, value] of reader.jar) thief.jar.set(cookie, value);
  expect(await isSignedIn(thief)).toBe(200);
  const cookie = [...reader.jar].find(([name]) => /^svc_session/.test(name))![1];
  return { reader, thief, cookie };
}
/** Sessions are in backups and not in archives. */
async function rememberSessions(): Promise<() => Promise<void>> {
  const rows = await service.db.query<{ line: string }>(
    sql`select row_to_json(s)::text as line from web_session s`,
  );
  return async () => {
    await service.db.query(sql`
        insert into web_session select * from json_populate_recordset(null::web_session, ${`[${rows.map(({ line }) => line).join(',')}]`}::json)`);
  };
}

test('has a line with hash and time for each revoked key and ended session, and no secret', async () => {
  const agent = await service.registerAgent();
  const { key, api_key: value } = await issue(agent);
  const file = join(folder, 'deeper', 'revocations.jsonl');
  const keep = createRevocationFile(service.db, file);
  await keep();
  const { revoked_at } = await revoke(agent, key.id);
  expect(await keep()).toBe(1);
  expect(await keep()).toBe(0);
  const { reader, cookie } = await signedIn('lena');
  await reader.send('/sign-out', {});
  await appendFile(file, '{"kind":"api_k');
  expect(await createRevocationFile(service.db, file)()).toBe(1);

  const found = await lines(file);
  expect(found).toContain(JSON.stringify({ kind: 'api_key', hash: sha256(value), revoked_at }));
  expect(found.at(-1)).toMatch(new RegExp(`^{"kind":"session","hash":"${sha256(cookie)}"`));
  for (const secret of [value, value.slice(12), cookie]) expect(found.join()).not.toContain(secret);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('has no line for an unknown or expired session', async () => {
  const stranger = newReader(service.baseUrl);
  const { reader } = await signedIn('milo');
  for (const name of reader.jar.keys()) stranger.jar.set(name, 'made-up');
  const count = async () => (await service.db.query(sql`select 1 from revocation`)).length;
  const before = await count();
  await stranger.send('/sign-out', {});
  expect(await count()).toBe(before);
});

test('revokes keys and sessions again in a restored database, and no others', async () => {
  const agent = await service.registerAgent();
  const [lent, kept] = [await issue(agent), await issue(agent)];
  const [gone, stays, again] = [await signedIn('nora'), await signedIn('omar'), await signedIn('pia')];
  const [goBack, bringSessions] = [await remember(service.db), await rememberSessions()];

  const { revoked_at } = await revoke(agent, lent.key.id);
  await gone.reader.send('/sign-out', {});
  await again.reader.signIn('pia');
  const file = join(folder, 'again.jsonl');
  await createRevocationFile(service.db, file)();

  await goBack();
  await bringSessions();
  expect([await works(lent.api_key), await isSignedIn(gone.thief)]).toEqual([200, 200]);
  expect(await replayRevocations(service.db, file)).toMatchObject({ keys: 1, sessions: 2, refused: 0 });
  expect([await works(lent.api_key), await works(kept.api_key)]).toEqual([401, 200]);
  expect([await isSignedIn(gone.thief), await isSignedIn(again.thief)]).toEqual([303, 303]);
  expect(await isSignedIn(stays.thief)).toBe(200);
  const { keys } = (await service.get('/api/v1/me/keys', agent.key)).body;
  expect(keys.find(({ id }: { id: string }) => id === lent.key.id).revoked_at).toBe(revoked_at);
  expect(await replayRevocations(service.db, file)).toMatchObject({ keys: 0, sessions: 0, refused: 0 });
  expect(await createRevocationFile(service.db, join(folder, 'other.jsonl'))()).toBeGreaterThanOrEqual(3);
});

test('rejects damaged lines, and a missing file replays nothing', async () => {
  const at = '2026-01-02T03:04:05.678Z';
  const file = join(folder, 'damaged.jsonl');
  const entries = [
    { kind: 'api_key', hash: 'ab'.repeat(32), revoked_at: at },
    { kind: 'session', hash: 'ab', revoked_at: at },
    { kind: 'account', hash: 'cd'.repeat(32), revoked_at: at },
    { kind: 'session', hash: 'cd'.repeat(32), revoked_at: 'yesterday' },
  ];
  await writeFile(file, `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\nnot json\n`);
  const none = { keys: 0, sessions: 0 };
  expect(await replayRevocations(service.db, file)).toEqual({ entries: 5, ...none, refused: 4 });
  const missing = join(folder, 'none.jsonl');
  expect(await replayRevocations(service.db, missing)).toEqual({ entries: 0, ...none, refused: 0 });
});

test('drops expired sessions and keeps keys for good', async () => {
  for (const [kind, hash, at] of [
    ['session', '01', '2020-01-01T00:00:00.000Z'],
    ['session', '02', '2026-01-01T00:00:00.000Z'],
    ['api_key', '03', '2020-01-01T00:00:00.000Z'],
  ] as const)
    await service.db.query(sql`
        insert into revocation (kind, hash, revoked_at) values (${kind}, decode(${hash.repeat(32)}, 'hex'), ${at})`);
  await forgetEndedSessions(service.db, '2025-01-01T00:00:00.000Z');
  const left = await service.db.query(sql`
      select encode(substr(hash, 1, 1), 'hex') as hash from revocation
      where encode(hash, 'hex') ~ '^(0[123])\\1{31}$' order by 1`);
  expect(left).toEqual([{ hash: '02' }, { hash: '03' }]);
});
