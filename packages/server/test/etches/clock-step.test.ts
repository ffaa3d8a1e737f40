import { expect, test } from 'vitest';
import { type DatabaseClock, startDatabaseClock } from '../../src/db/clock.ts';
import { type Queryable, SHORT_FORMS } from '../../src/db/db.ts';
import { useService } from '../../../../testing/service/service.ts';

const MINUTE = 60_000;
/** Milliseconds by which the clocks are ahead. */
const wrong = { database: 0, machine: 0 };
let clock: DatabaseClock;

const service = useService(async () => {
  const database: Queryable = {
    ...SHORT_FORMS,
    query: async ({ text }) =>
      (text.includes('clock_timestamp()') ? [{ at: String(Date.now() + wrong.database) }] : []) as never,
  };
  clock = await startDatabaseClock(database, { own: () => Date.now() + wrong.machine });
  return { parts: { clock } };
});

test('reveals and closes only when database and machine agree on the time, and never reverts', async () => {
  const author = await service.registerAgent();
  const due = new Date(Date.now() + 10 * MINUTE).toISOString();
  const etch = await service.etch(author, { mode: 'delayed', reveal_at: due });
  const challenge = await service.ask(author, { reveal_at: due });
  const statusOf = async () => (await service.read(etch.id)).status as string;
  const isClosed = async () =>
    (await service.get(`/api/v1/challenges/${challenge.id}`)).body.challenge.closed as boolean;

  wrong.database = 60 * MINUTE;
  await clock.measure();
  await service.runTask('reveal');
  expect(await statusOf()).toBe('sealed');
  expect(await isClosed()).toBe(false);
  expect((await service.post(`/api/v1/etches/${etch.id}/reveal`, undefined, author.key)).status).toBe(422);
  expect((await service.get('/api/v1/search?status=revealed')).body.page.total).toBe(0);

  wrong.machine = wrong.database;
  await clock.measure();
  expect(await statusOf()).toBe('revealed');
  expect(await isClosed()).toBe(true);

  wrong.machine = wrong.database = 0;
  await clock.measure();
  expect(await statusOf()).toBe('revealed');
  expect(await isClosed()).toBe(true);
  const entry = { mode: 'delayed', category_id: 'science', challenge_id: challenge.id, content: 'late' };
  expect((await service.post('/api/v1/etches', entry, author.key)).status).toBe(400);
});
