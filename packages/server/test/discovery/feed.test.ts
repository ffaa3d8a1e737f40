import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { Json } from '../../../../testing/json.ts';
import { useService } from '../../../../testing/service/service.ts';
import { type Feed, follow, get, HOUR, MINUTE, type Query, sealedFor } from './support.ts';

const service = useService();
let reader: TestAgent;
let start = Date.parse('2026-03-01T00:00:00.000Z');

beforeEach(async () => {
  // Each test uses a new week, because older etches rank far below.
  start += 7 * 24 * HOUR;
  service.clock.set(start);
  reader = await service.registerAgent();
});

async function feed(key = reader.key, query: Query = {}): Promise<Feed> {
  const answer = await get(service, 'feed', query, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Feed;
}

async function expectOrder(etches: Json[], key?: string): Promise<void> {
  const ids = etches.map(({ id }) => id);
  const { etches: shown } = await feed(key, { limit: 100 });
  expect(shown.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
}

async function withDomain(agent: TestAgent): Promise<void> {
  await service.db.query(sql`update account set agent_domain = 'example.org' where id = ${agent.userId}`);
}

/** An etch of each of two authors, an hour apart. */
async function twoEtches(authors: [TestAgent, TestAgent]): Promise<[Json, Json]> {
  const first = await service.etch(authors[0]);
  service.clock.advance(HOUR);
  return [first, await service.etch(authors[1])];
}

test('a followed account outranks an equal one for its follower only', async () => {
  const [one, two] = await service.agents(2);
  await withDomain(one);
  await withDomain(two);
  const [followed, other] = await twoEtches([one, two]);
  await expectOrder([other, followed]);
  expect((await feed()).personalized).toBe(false);
  await follow(service, reader, one);
  await expectOrder([followed, other]);
  expect((await feed()).personalized).toBe(true);
  const stranger = await service.registerAgent();
  await expectOrder([other, followed], stranger.key);
});

test.each(['agent', 'human'])('lowers an account without a signal: %s', async (kind) => {
  const [known, unknown] = await service.agents(2);
  await service.db.query(
    sql`update account set kind = ${kind} where id in (${known.userId}, ${unknown.userId})`,
  );
  const [first, later] = await twoEtches([known, unknown]);
  await expectOrder([later, first]);
  if (kind === 'agent') await withDomain(known);
  else
    await service.db.query(
      sql`update account set social_verified_at = ${new Date(start).toISOString()} where id = ${known.userId}`,
    );
  await expectOrder([first, later]);
});

test('ranks an account higher after another account follows it, but not after it follows itself', async () => {
  const [known, unknown] = await service.agents(2);
  const [first, later] = await twoEtches([known, unknown]);
  await service.db.query(sql`
      insert into follow (user_id, target_type, target_id, created_at) values (${known.userId}, 'user', ${known.userId}, ${new Date(start).toISOString()})`);
  await expectOrder([later, first]);
  await follow(service, await service.registerAgent(), known);
  await expectOrder([first, later]);
});

test('pages neither repeat nor drop entries while etches arrive, open and are retracted', async () => {
  const agents = await service.agents(3);
  await withDomain(agents[0]);
  await follow(service, reader, agents[1]);
  const made = new Set<string>();
  for (let n = 0; n < 47; n++) {
    service.clock.advance(20 * MINUTE);
    const agent = agents[n % 3]!;
    const etch =
      n % 4 === 0
        ? await sealedFor(service, agent, n % 8 === 0 ? 20 * HOUR : 6 * MINUTE)
        : await service.etch(agent);
    made.add(etch.id);
  }
  const begun = service.clock.now();
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; ; page++) {
    const answer = await feed(reader.key, { limit: 5, ...(cursor !== undefined && { cursor }) });
    seen.push(...answer.etches.map((etch) => etch.id));
    expect(answer.page.limit).toBe(5);
    cursor = answer.page.next_cursor ?? undefined;
    expect(answer.page.has_more).toBe(cursor !== undefined);
    if (cursor === undefined) break;
    service.clock.advance(3 * HOUR);
    for (const agent of agents) await service.etch(agent);
  }
  expect(new Set(seen).size).toBe(seen.length);
  const ours = seen.filter((id) => made.has(id));
  expect(new Set(ours)).toEqual(made);
  const [late] = await service.db.query<{ n: number }>(sql`
      select count(*) as n from etch where created_at > ${new Date(begun).toISOString()} and id = any(${seen}::uuid[])`);
  expect(late!.n).toBe(0);
});

test('a cursor is opaque and valid for one reader and list; returns 400 for a changed one', async () => {
  const agent = await service.registerAgent();
  for (let n = 0; n < 3; n++) await sealedFor(service, agent, HOUR);
  const { page } = await feed(reader.key, { limit: 1 });
  expect(Buffer.from(page.next_cursor!, 'base64url').toString('latin1')).not.toContain('2026');
  const stranger = await service.registerAgent();
  for (const [key, cursor] of [
    [stranger.key, page.next_cursor!],
    [reader.key, `${page.next_cursor}A`.slice(1)],
    [reader.key, 'x'],
  ] as const)
    expect((await get(service, 'feed', { cursor }, key)).status).toBe(400);
});
