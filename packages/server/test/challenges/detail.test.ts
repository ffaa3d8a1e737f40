import sql from 'sql-template-tag';
import { afterEach, describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { enter, MINUTE, NOON, openChallenge } from './support.ts';

const service = useService({ settings: { LIMIT_CHALLENGES_PER_DAY: '1000' } });
afterEach(() => service.clock.release());

const read = (id: string, query = '') => service.get(`/api/v1/challenges/${id}${query}`);

async function filled(entries: number) {
  const agents = await service.agents(entries);
  service.clock.set(NOON);
  const challenge = await openChallenge(service, agents[0]);
  const ids: string[] = [];
  for (const agent of agents) {
    service.clock.advance(1000);
    ids.push((await enter(service, agent, challenge.id)).body.etch.id);
  }
  return { challenge, ids, agents };
}

async function walk(id: string, query: string, between?: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { body } = await read(id, `?${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    seen.push(...body.etches.map((etch: { id: string }) => etch.id));
    expect(body.page.has_more).toBe(body.page.next_cursor !== null);
    if (!body.page.has_more) return seen;
    cursor = body.page.next_cursor;
    await between?.();
  }
}

test('counts follow the clock and every retraction before rows are written', async () => {
  const { challenge, ids, agents } = await filled(3);
  const counts = async () => (await read(challenge.id)).body.counts;
  const retract = (index: number) => service.retract(agents[index]!, ids[index]!);
  const whole = { etches: 3, participants: 3 };
  expect(await counts()).toEqual({ ...whole, sealed: 3, revealed: 0, retracted: 0 });
  await retract(0);
  expect(await counts()).toEqual({ ...whole, sealed: 2, revealed: 0, retracted: 1 });

  service.clock.set(Date.parse(challenge.reveal_at) - 1);
  expect((await read(challenge.id)).body.challenge.closed).toBe(false);
  expect(await counts()).toEqual({ ...whole, sealed: 2, revealed: 0, retracted: 1 });
  service.clock.set(challenge.reveal_at);
  const closed = (await read(challenge.id)).body;
  expect(closed.challenge.closed).toBe(true);
  expect(closed.counts).toEqual({ ...whole, sealed: 0, revealed: 2, retracted: 1 });
  expect(closed.etches).toMatchObject(['revealed', 'revealed', 'retracted'].map((status) => ({ status })));
  const listed = await service.get('/api/v1/challenges?status=closed&sort=newest');
  const listing = { id: challenge.id, closed: true, etch_count: 3, participant_count: 3 };
  expect(listed.body.challenges[0]).toMatchObject(listing);

  await retract(1);
  expect(await counts()).toEqual({ ...whole, sealed: 0, revealed: 1, retracted: 2 });
  await service.runTask('reveal');
  expect(await counts()).toEqual({ ...whole, sealed: 0, revealed: 1, retracted: 2 });
});

describe('the etches of a challenge', () => {
  test('have pages without repeats or gaps in either order, while accounts enter', async () => {
    const { challenge, ids } = await filled(7);
    const newestFirst = [...ids].reverse();
    expect(await walk(challenge.id, 'limit=2')).toEqual(newestFirst);
    expect(await walk(challenge.id, 'limit=7&sort=newest')).toEqual(newestFirst);
    expect(await walk(challenge.id, 'limit=3&sort=soonest')).toEqual(ids);
    expect((await read(challenge.id, '?sort=best')).body.sort).toBe('newest');

    const enterAnother = async () => {
      service.clock.advance(1000);
      const { body } = await enter(service, await service.registerAgent(), challenge.id);
      ids.push(body.etch.id);
    };
    expect(await walk(challenge.id, 'limit=3', enterAnother)).toEqual(newestFirst);
    expect(ids).toHaveLength(9);
    const walked = await walk(challenge.id, 'limit=4&sort=soonest', enterAnother);
    expect(walked).toEqual(ids.slice(0, walked.length));
    expect(walked.length).toBeGreaterThan(9);
  });

  test('of the same millisecond have pages without repeats', async () => {
    const agents = await service.agents(6);
    service.clock.set(NOON);
    const { id } = await openChallenge(service, agents[0]);
    await Promise.all(agents.map((agent) => enter(service, agent, id)));
    const newest = await walk(id, 'limit=1');
    expect(new Set(newest).size).toBe(6);
    expect(await walk(id, 'limit=4&sort=soonest')).toEqual([...newest].reverse());
  });

  test('have cursors that are valid for one challenge and one order and hide the time', async () => {
    const { challenge, agents } = await filled(2);
    const other = await openChallenge(service, agents[0]);
    const cursor: string = (await read(challenge.id, '?limit=1')).body.page.next_cursor;
    expect((await read(challenge.id, `?cursor=${cursor}`)).status).toBe(200);
    expect((await read(challenge.id, `?cursor=${cursor}&sort=soonest`)).status).toBe(400);
    expect((await read(other.id, `?cursor=${cursor}`)).status).toBe(400);
    const changed = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    expect((await read(challenge.id, `?cursor=${changed}`)).status).toBe(400);
    const bytes = Buffer.from(cursor, 'base64url').toString('latin1');
    expect(bytes).not.toContain('2026-06');
  });

  test('show author and day while the challenge is open, and hide text and time', async () => {
    const canary = 'canary-51c2 the lamp is lit on the ninth';
    const author = await service.registerAgent();
    service.clock.set(NOON);
    const challenge = await openChallenge(service, author);
    service.clock.set(NOON + 7 * MINUTE + 123);
    const created = await enter(service, author, challenge.id, { content: canary }, 'canary');
    const answers = [
      created,
      await enter(service, author, challenge.id, { content: canary }, 'canary'),
      await read(challenge.id),
      await service.get(`/api/v1/challenges/${challenge.id}`, author.key),
      await read(challenge.id, '?sort=soonest&limit=1'),
      await service.get('/api/v1/challenges?sort=most'),
      await service.get(`/api/v1/etches/${created.body.etch.id}`),
      await service.get(`/api/v1/etches/${created.body.etch.id}/receipt`),
      await service.get(`/api/v1/verify/${created.body.etch.id}`),
    ];
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(300);
      expect(answer.text).not.toContain('canary');
      expect(answer.text).not.toContain('12:07:00');
    }
    const hidden = { created_on: '2026-06-01', created_at: null, content: null };
    const [shown] = answers[2]!.body.etches;
    expect(shown).toMatchObject({ author: { username: author.username }, ...hidden });
    const rival = await service.registerAgent();
    const other = await enter(service, rival, challenge.id, { content: 'x'.repeat(1000) });
    expect(other.body.etch.description).toBe(created.body.etch.description);
    const rows = await service.db.query(sql`select 1 from etch e where e::text like '%canary%'`);
    expect(rows).toEqual([]);
  });
});
