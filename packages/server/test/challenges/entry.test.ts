import sql from 'sql-template-tag';
import { afterEach, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { eventually } from '../../../../testing/wait.ts';
import { at, counted, enter, MINUTE, NOON, openChallenge, remaining, UNKNOWN } from './support.ts';

const service = useService({ settings: { LIMIT_CHALLENGES_PER_DAY: '1000', LIMIT_ETCHES_KEYPAIR: '4' } });
afterEach(() => service.clock.release());

/** A challenge at noon, and its author. */
async function opened(fields?: Record<string, unknown>) {
  const author = await service.registerAgent();
  service.clock.set(NOON);
  return { author, challenge: await openChallenge(service, author, fields) };
}
const refused = (path: string) => ({ status: 400, body: { error: { details: [{ path }] } } });

test('has the topic, reveal time and description of the challenge, not of the body', async () => {
  const { challenge } = await opened();
  const author = await service.registerAgent();
  const other = { category_id: 'sports', description: '', reveal_at: 'whenever' };
  const answer = await enter(service, author, challenge.id.toUpperCase(), other);
  expect(answer.status, answer.text).toBe(201);
  const { etch } = answer.body;
  expect(etch).toMatchObject({
    status: 'sealed',
    mode: 'delayed',
    content: null,
    salt: null,
    created_at: null,
    canonical_string: null,
    description: 'Sealed answer to: On which day does the lighthouse shine again?',
    category: { id: 'culture', label: 'Culture' },
    reveal_at: challenge.reveal_at,
    challenge: { id: challenge.id, question: challenge.question, url: challenge.url },
  });
  expect((await service.get(`/api/v1/etches/${etch.id}`)).body).toEqual({ etch });

  // The clock reveals it before its row is written.
  service.clock.set(challenge.reveal_at);
  const revealed = { status: 'revealed', content: 'On a Tuesday.', created_at: at(NOON) };
  expect(await service.read(etch.id)).toMatchObject({ ...revealed, revealed_at: challenge.reveal_at });
});

test('has a description of at most 140 code points, cut between them', async () => {
  const { author, challenge } = await opened({ question: '🗼'.repeat(280) });
  const { body } = await enter(service, author, challenge.id);
  expect(body.etch.description).toBe(`Sealed answer to: ${'🗼'.repeat(122)}`);
  expect([...body.etch.description]).toHaveLength(140);
});

test('cannot be instant', async () => {
  const { author, challenge } = await opened();
  expect(await enter(service, author, challenge.id, { mode: 'instant' })).toMatchObject(refused('mode'));
});

test('returns 404 for an unknown challenge and 400 for a malformed id', async () => {
  const agent = await service.registerAgent();
  expect((await enter(service, agent, UNKNOWN)).status).toBe(404);
  expect((await enter(service, agent, 'latest')).status).toBe(400);
});

test('is accepted until the last millisecond before the reveal time', async () => {
  const { author, challenge } = await opened();
  service.clock.set(Date.parse(challenge.reveal_at) - 1);
  expect((await enter(service, author, challenge.id)).status).toBe(201);
  service.clock.set(challenge.reveal_at);
  const late = await enter(service, await service.registerAgent(), challenge.id);
  expect(late).toMatchObject(refused('challenge_id'));
  expect(await counted(service, challenge.id)).toEqual({ kept: 1, counted: 1, accounts: 1 });
});

test('is rejected if the challenge closes while the request waits for a lock', async () => {
  if (service.db.engine === 'pglite') return; // PGlite has one connection, so nothing waits
  const { challenge } = await opened();
  const author = await service.registerAgent();
  await service.etch(author);
  const { answer } = await service.db.tx(async (tx) => {
    await tx.query(sql`select 1 from allowance where user_id = ${author.userId} for update`);
    const entry = enter(service, author, challenge.id);
    const waiting = sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually('the request waits', async () => (await service.db.query(waiting)).length > 0);
    service.clock.set(challenge.reveal_at);
    return { answer: entry };
  });
  expect(await answer).toMatchObject(refused('challenge_id'));
});

test('is the only one of its account, also after a retraction', async () => {
  const { author, challenge } = await opened();
  const first = await enter(service, author, challenge.id);
  const again = await enter(service, author, challenge.id, { content: 'On a Wednesday.' });
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  await service.retract(author, first.body.etch.id);
  expect((await enter(service, author, challenge.id)).status).toBe(409);
  expect(await remaining(service, author)).toBe(3);
  const other = await openChallenge(service, author);
  expect((await enter(service, author, other.id)).status).toBe(201);
});

test('is replayed after the challenge closed, and rejected with a different body', async () => {
  const { author, challenge } = await opened();
  const first = await enter(service, author, challenge.id, {}, 'entry');
  service.clock.set(Date.parse(challenge.reveal_at) + MINUTE);
  const replay = await enter(service, author, challenge.id, {}, 'entry');
  expect(replay.status).toBe(201);
  expect(replay.headers.get('idempotent-replay')).toBe('true');
  expect(replay.body.etch).toMatchObject({ id: first.body.etch.id, status: 'revealed' });
  expect((await enter(service, author, challenge.id, { content: 'else' }, 'entry')).status).toBe(409);
  expect((await enter(service, author, challenge.id, {}, 'another')).status).toBe(400);
});

test('binds no key and spends nothing when rejected, and is checked in the specified order', async () => {
  const { author, challenge } = await opened();
  const other = await openChallenge(service, author);
  const status = async (id: string, key?: string) => (await enter(service, author, id, {}, key)).status;
  expect(await status(challenge.id)).toBe(201);
  expect(await status(challenge.id, 'k')).toBe(409);
  expect(await status(UNKNOWN, 'k')).toBe(404);
  expect(await remaining(service, author)).toBe(3);
  expect(await status(other.id, 'k')).toBe(201);
  for (let left = await remaining(service, author); left > 0; left--) await service.etch(author);
  expect(await status(UNKNOWN)).toBe(404);
  expect(await status(challenge.id)).toBe(409);
  expect(await status((await openChallenge(service, author)).id)).toBe(429);
  service.clock.set(challenge.reveal_at);
  expect(await status(challenge.id)).toBe(400);
});
