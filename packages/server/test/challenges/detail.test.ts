import { afterEach, describe, expect, test } from 'vitest';
import { tablesWith } from '../../../../testing/database/tables-with.ts';
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
  const retract = (index: number) => service.retract(agents[index]!, ids[index]!);
  const expectCounts = async (closed: boolean, sealed: number, revealed: number, retracted: number) => {
    const { body } = await read(challenge.id);
    expect(body.counts).toEqual({ etches: 3, participants: 3, sealed, revealed, retracted });
    expect(body.challenge.closed).toBe(closed);
    return body.etches;
  };
  await expectCounts(false, 3, 0, 0);
  await retract(0);
  await expectCounts(false, 2, 0, 1);

  service.clock.set(Date.parse(challenge.reveal_at) - 1);
  await expectCounts(false, 2, 0, 1);
  service.clock.set(challenge.reveal_at);
  const etches = await expectCounts(true, 0, 2, 1);
  expect(etches).toMatchObject(['revealed', 'revealed', 'retracted'].map((status) => ({ status })));
  const listed = await service.get('/api/v1/challenges?status=closed&sort=newest');
  const listing = { id: challenge.id, closed: true, etch_count: 3, participant_count: 3 };
  expect(listed.body.challenges[0]).toMatchObject(listing);

  await retract(1);
  await expectCounts(true, 0, 1, 2);
  await service.runTask('reveal');
  await expectCounts(true, 0, 1, 2);
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
    const { id } = challenge;
    const other = await openChallenge(service, agents[0]);
    const cursor: string = (await read(id, '?limit=1')).body.page.next_cursor;
    const changed = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    for (const [of, query, status] of [
      [id, cursor, 200],
      [id, `${cursor}&sort=soonest`, 400],
      [other.id, cursor, 400],
      [id, changed, 400],
    ] as const)
      expect((await read(of, `?cursor=${query}`)).status).toBe(status);
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('2026-06');
  });

  test('show author and day while the challenge is open, and hide text and time', async () => {
    const canary = 'canary-51c2 the lamp is lit on the ninth';
    const author = await service.registerAgent();
    service.clock.set(NOON);
    const challenge = await openChallenge(service, author);
    service.clock.set(NOON + 7 * MINUTE + 123);
    const create = () => enter(service, author, challenge.id, { content: canary }, 'canary');
    const { etch } = (await create()).body;
    const paths = `challenges/${challenge.id} challenges/${challenge.id}?sort=soonest&limit=1
      challenges?sort=most etches/${etch.id} etches/${etch.id}/receipt verify/${etch.id}`;
    const answers = [
      ...paths.split(/\s+/).map((path) => service.get(`/api/v1/${path}`)),
      service.get(`/api/v1/challenges/${challenge.id}`, author.key),
      create(),
    ];
    for (const { status, text } of await Promise.all(answers)) {
      expect(status).toBeLessThan(300);
      expect(text).not.toMatch(/canary|12:07:00/);
    }
    expect(JSON.stringify(etch)).not.toMatch(/canary|12:07:00/);
    const hidden = { created_on: '2026-06-01', created_at: null, content: null };
    const shown = { author: { username: author.username }, ...hidden };
    expect((await answers[0]!).body.etches).toMatchObject([shown]);
    const rival = await service.registerAgent();
    const other = await enter(service, rival, challenge.id, { content: 'x'.repeat(1000) });
    expect(other.body.etch.description).toBe(etch.description);
    expect(await tablesWith(service.db, canary)).toEqual([]);
  });
});
