import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { beforeAll, expect, it } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { endStreams, listen } from './stream.ts';

const CANARY = 'the-canary-listens-at-the-door';

endStreams();

const service = useService({ chain: true });
let author: TestAgent;
beforeAll(async () => void (author = await service.registerAgent()));

it('an open page is notified at once when its etch is anchored or retracted, and when the retraction is attested', async () => {
  const { id } = await service.etch(author);
  const { response, until } = await listen(service.baseUrl, `/e/${id}/events`);
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  expect(await until(1)).toEqual(['revealed.pending.none']);
  await service.anchor();
  expect((await until(2)).at(-1)).toBe('revealed.anchored.none');
  await service.retract(author, id);
  expect((await until(3)).at(-1)).toBe('retracted.anchored.pending');
  await service.anchor();
  expect((await until(4)).at(-1)).toBe('retracted.anchored.revoked');
});

it('is notified of the reveal by the clock, and never of sealed content', async () => {
  const { id } = await service.seal(author, { content: CANARY, reveal_at: service.at(600_000) });
  const created = sql`select created_at as at from etch where id = ${id}`;
  const [row] = await service.db.query<{ at: string }>(created);
  const stream = await listen(service.baseUrl, `/e/${id}/events`);
  expect(await stream.until(1)).toEqual(['sealed.pending.none']);
  service.clock.advance(600_000);
  expect((await stream.until(2)).at(-1)).toBe('revealed.pending.none');
  service.clock.release();
  for (const hidden of [CANARY, row!.at]) expect(stream.text()).not.toContain(hidden);
});

it('is notified of answers to a challenge and of its close', async () => {
  const challenge = await service.ask(author, { reveal_at: service.at(600_000) });
  const { until } = await listen(service.baseUrl, `/ch/${challenge.id}/events`);
  expect(await until(1)).toEqual(['open.0.0']);
  const etch = await service.etch(author, { mode: 'delayed', challenge_id: challenge.id });
  expect((await until(2)).at(-1)).toBe('open.1.0');
  await service.retract(author, etch.id);
  expect((await until(3)).at(-1)).toBe('open.1.1');
  service.clock.advance(600_000);
  expect((await until(4)).at(-1)).toBe('closed.1.1');
  service.clock.release();
});

it('gets the same by polling', async () => {
  const { id } = await service.etch(author);
  const { status, headers, body } = await service.get(`/e/${id}/events`);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({ state: 'revealed.pending.none', now: expect.any(String) });
  expect(Math.abs(Date.parse(body.now) - service.clock.now())).toBeLessThan(60_000);
  const accept = { headers: { accept: 'text/event-stream' } };
  expect((await service.call('HEAD', `/e/${id}/events`, undefined, accept)).status).toBe(200);
});

it('queries the database once for all pages, and not without listeners', async () => {
  const { id } = await service.etch(author);
  const queries: string[] = [];
  const query = service.db.query.bind(service.db);
  service.db.query = (statement) => (queries.push(statement.text), query(statement));
  try {
    const opened = Array.from({ length: 12 }, () => listen(service.baseUrl, `/e/${id}/events`));
    const streams = await Promise.all(opened);
    await Promise.all(streams.map((stream) => stream.until(1)));
    queries.length = 0;
    await service.anchor();
    await Promise.all(streams.map((stream) => stream.until(2)));
    const polls = (): number => queries.filter((text) => text.includes('as revoked')).length;
    expect(polls()).toBeGreaterThan(0);
    // Fewer polls than listeners can have run between two messages.
    expect(polls()).toBeLessThan(12);
    for (const stream of streams) stream.close();
    await Promise.all(streams.map((stream) => stream.ended));
    await sleep(1_200);
    queries.length = 0;
    await sleep(1_200);
    expect(polls(), 'while nobody listens').toBe(0);
  } finally {
    service.db.query = query;
  }
});

it('stays open while the database is away, and is notified afterwards', async () => {
  const { id } = await service.etch(author);
  const stream = await listen(service.baseUrl, `/e/${id}/events`);
  await stream.until(1);
  service.outage.on = true;
  await expect.poll(() => service.log.some((line) => line.includes('states of open pages'))).toBe(true);
  service.outage.on = false;
  await service.anchor();
  expect((await stream.until(2)).at(-1)).toBe('revealed.anchored.none');
});
