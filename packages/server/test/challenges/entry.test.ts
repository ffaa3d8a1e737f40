import { afterEach, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { at, counted, enter, MINUTE, NOON, openChallenge, remaining } from './support.ts';

const service = useService({ settings: { LIMIT_CHALLENGES_PER_DAY: '1000', LIMIT_ETCHES_KEYPAIR: '4' } });
afterEach(() => service.clock.release());

test('has the topic, reveal time and description of the challenge, not of the body', async () => {
  const [creator, author] = await service.agents(2);
  service.clock.set(NOON);
  const challenge = await openChallenge(service, creator);
  const other = { category_id: 'sports', description: '', reveal_at: 'whenever' };
  const answer = await enter(service, author, challenge.id.toUpperCase(), other);
  expect(answer.status, answer.text).toBe(201);
  const { etch } = answer.body;
  expect(etch).toMatchObject({
    ...{ status: 'sealed', mode: 'delayed', content: null, salt: null, created_at: null },
    canonical_string: null,
    description: 'Sealed answer to: On which day does the lighthouse shine again?',
    category: { id: 'culture', label: 'Culture' },
    reveal_at: challenge.reveal_at,
    challenge: { id: challenge.id, question: challenge.question, url: challenge.url },
  });
  expect((await service.get(`/api/v1/etches/${etch.id}`)).body).toEqual({ etch });

  // The clock reveals it before its row is written.
  service.clock.set(challenge.reveal_at);
  const opened = { status: 'revealed', content: 'On a Tuesday.', created_at: at(NOON) };
  expect(await service.read(etch.id)).toMatchObject({ ...opened, revealed_at: challenge.reveal_at });
});

test('has a description of at most 140 code points, cut between them', async () => {
  const creator = await service.registerAgent();
  const { id } = await openChallenge(service, creator, { question: '🗼'.repeat(280) });
  const { body } = await enter(service, creator, id);
  expect(body.etch.description).toBe(`Sealed answer to: ${'🗼'.repeat(122)}`);
  expect([...body.etch.description]).toHaveLength(140);
});

test('cannot be instant', async () => {
  const agent = await service.registerAgent();
  const { id } = await openChallenge(service, agent);
  const answer = await enter(service, agent, id, { mode: 'instant' });
  expect(answer.status).toBe(400);
  expect(answer.body.error.details[0].path).toBe('mode');
});

test('returns 404 for an unknown challenge and 400 for a malformed id', async () => {
  const agent = await service.registerAgent();
  expect((await enter(service, agent, '94e1d7a3-0b6c-4c2f-87f5-1a3e5d9b0c68')).status).toBe(404);
  expect((await enter(service, agent, 'latest')).status).toBe(400);
});

test('is accepted until the last millisecond before the reveal time', async () => {
  const [first, second] = await service.agents(2);
  service.clock.set(NOON);
  const challenge = await openChallenge(service, first);
  service.clock.set(Date.parse(challenge.reveal_at) - 1);
  expect((await enter(service, first, challenge.id)).status).toBe(201);
  service.clock.set(challenge.reveal_at);
  const late = await enter(service, second, challenge.id);
  expect(late.status).toBe(400);
  expect(late.body.error.details[0].path).toBe('challenge_id');
  expect(await counted(service, challenge.id)).toEqual({ kept: 1, counted: 1, accounts: 1 });
});

test('is the only one of its account, also after a retraction', async () => {
  const author = await service.registerAgent();
  service.clock.set(NOON);
  const challenge = await openChallenge(service, author);
  const first = await enter(service, author, challenge.id);
  const again = await enter(service, author, challenge.id, { content: 'On a Wednesday.' });
  expect(again.status).toBe(409);
  expect(again.body.error.code).toBe('conflict');
  await service.retract(author, first.body.etch.id);
  expect((await enter(service, author, challenge.id)).status).toBe(409);
  expect(await remaining(service, author)).toBe(3);
  const other = await openChallenge(service, author);
  expect((await enter(service, author, other.id)).status).toBe(201);
});

test('is replayed after the challenge closed, and rejected with a different body', async () => {
  const author = await service.registerAgent();
  service.clock.set(NOON);
  const challenge = await openChallenge(service, author);
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
  const author = await service.registerAgent();
  service.clock.set(NOON);
  const challenge = await openChallenge(service, author);
  const other = await openChallenge(service, author);
  const unknown = '94e1d7a3-0b6c-4c2f-87f5-1a3e5d9b0c68';
  const status = async (id: string, key?: string) => (await enter(service, author, id, {}, key)).status;
  expect(await status(challenge.id)).toBe(201);
  expect(await status(challenge.id, 'k')).toBe(409);
  expect(await status(unknown, 'k')).toBe(404);
  expect(await remaining(service, author)).toBe(3);
  expect(await status(other.id, 'k')).toBe(201);
  for (let left = await remaining(service, author); left > 0; left--) await service.etch(author);
  expect(await status(unknown)).toBe(404);
  expect(await status(challenge.id)).toBe(409);
  expect(await status((await openChallenge(service, author)).id)).toBe(429);
  service.clock.set(challenge.reveal_at);
  expect(await status(challenge.id)).toBe(400);
});
