import { once } from 'node:events';
import { type ClientRequest, get, IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createStreams } from '../../src/http/live/streams.ts';
import {
  startTestService,
  type TestAgent,
  type TestService,
  useService,
} from '../../../../testing/service/service.ts';

const CANARY = 'the-canary-listens-at-the-door';
const opened: ClientRequest[] = [];

interface Stream {
  response: IncomingMessage;
  /** what came so far */
  text: () => string;
  /** the messages so far, and the next one after that */
  states: () => string[];
  until: (count: number) => Promise<string[]>;
  ended: Promise<unknown>;
  close: () => void;
}

/** A reader's browser: the same request that an EventSource makes. */
async function listen(baseUrl: string, path: string): Promise<Stream> {
  const request = get(baseUrl + path, { headers: { accept: 'text/event-stream' }, agent: false });
  opened.push(request);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  let text = '';
  const ended = new Promise((resolve) => response.once('close', resolve));
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  response.on('error', () => undefined);
  const states = (): string[] =>
    [...text.matchAll(/^event: state\ndata: (.*)$/gm)].map(([, data]) => {
      const message = JSON.parse(data!) as { state: string; now: string };
      expect(Object.keys(message)).toEqual(['state', 'now']);
      return message.state;
    });
  return {
    response,
    text: () => text,
    states,
    async until(count) {
      while (states().length < count) await Promise.race([once(response, 'data'), ended.then(fail)]);
      return states();
    },
    ended,
    close: () => void request.destroy(),
  };
}

/** A connection that takes nothing in and says nothing of it. */
class Stalled extends Socket {
  override _read(): void {}
  override _write(): void {}
}

const fail = (): never => {
  throw new Error('the stream ended');
};

afterEach(() => {
  for (const request of opened.splice(0)) request.destroy();
});

async function sealedEtch(service: TestService, author: TestAgent, seconds: number) {
  const at = new Date(service.clock.now() + seconds * 1_000).toISOString();
  return service.etch(author, { content: CANARY, mode: 'delayed', reveal_at: at });
}

describe('a page that is open', () => {
  const service = useService({ chain: true });
  let author: TestAgent;
  beforeAll(async () => {
    author = await service.registerAgent();
  });

  it('is told at once that its etch was anchored, retracted, and that the retraction was attested', async () => {
    const { id } = await service.etch(author);
    const stream = await listen(service.baseUrl, `/e/${id}/events`);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(await stream.until(1)).toEqual(['revealed.pending.none']);
    await service.anchor();
    expect((await stream.until(2)).at(-1)).toBe('revealed.anchored.none');
    await service.call('POST', `/api/v1/etches/${id}/retract`, undefined, { key: author.key });
    expect((await stream.until(3)).at(-1)).toBe('retracted.anchored.pending');
    await service.anchor();
    expect((await stream.until(4)).at(-1)).toBe('retracted.anchored.revoked');
  });

  it('is told of the reveal by the clock, and never of anything sealed', async () => {
    const etch = await sealedEtch(service, author, 600);
    const { created_at: createdAt } = (
      await service.db.query<{ created_at: string }>({
        text: 'select created_at from etch where id = $1',
        values: [etch.id],
      } as never)
    )[0]!;
    const stream = await listen(service.baseUrl, `/e/${etch.id}/events`);
    expect(await stream.until(1)).toEqual(['sealed.pending.none']);
    service.clock.advance(600_000);
    expect((await stream.until(2)).at(-1)).toBe('revealed.pending.none');
    service.clock.release();
    for (const hidden of [CANARY, createdAt]) expect(stream.text()).not.toContain(hidden);
  });

  it('of a challenge is told of answers and of its close', async () => {
    const at = new Date(service.clock.now() + 600_000).toISOString();
    const asked = { question: 'Which day brings frost?', category_id: 'science', reveal_at: at };
    const { challenge } = (await service.call('POST', '/api/v1/challenges', asked, { key: author.key })).body;
    const stream = await listen(service.baseUrl, `/ch/${challenge.id}/events`);
    expect(await stream.until(1)).toEqual(['open.0.0']);
    const etch = await service.etch(author, { mode: 'delayed', challenge_id: challenge.id });
    expect((await stream.until(2)).at(-1)).toBe('open.1.0');
    await service.call('POST', `/api/v1/etches/${etch.id}/retract`, undefined, { key: author.key });
    expect((await stream.until(3)).at(-1)).toBe('open.1.1');
    service.clock.advance(600_000);
    expect((await stream.until(4)).at(-1)).toBe('closed.1.1');
    service.clock.release();
  });

  it('that cannot listen asks for the same now and then', async () => {
    const { id } = await service.etch(author);
    const { status, headers, body } = await service.call('GET', `/e/${id}/events`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({ state: 'revealed.pending.none', now: expect.any(String) });
    expect(Math.abs(Date.parse(body.now) - service.clock.now())).toBeLessThan(60_000);
    expect(
      (await service.call('HEAD', `/e/${id}/events`, undefined, { headers: { accept: 'text/event-stream' } }))
        .status,
    ).toBe(200);
  });

  it('of nothing is answered 404 in the envelope', async () => {
    for (const path of ['/e/not-an-id/events', `/e/${author.userId}/events`, `/ch/${author.userId}/events`]) {
      const { status, body } = await service.call('GET', path, undefined, {
        headers: { accept: 'text/event-stream' },
      });
      expect([status, body.error.code], path).toEqual([404, 'not_found']);
    }
  });

  it('asks the database once for all, and not at all while nobody listens', async () => {
    const { id } = await service.etch(author);
    const queries: string[] = [];
    const query = service.db.query.bind(service.db);
    service.db.query = (statement) => (queries.push(statement.text), query(statement));
    try {
      const streams = await Promise.all(
        Array.from({ length: 12 }, () => listen(service.baseUrl, `/e/${id}/events`)),
      );
      await Promise.all(streams.map((stream) => stream.until(1)));
      queries.length = 0;
      await service.anchor();
      await Promise.all(streams.map((stream) => stream.until(2)));
      const polls = (): number => queries.filter((text) => text.includes('as revoked')).length;
      expect(polls()).toBeGreaterThan(0);
      // Far fewer rounds than listeners can have passed between two messages.
      expect(polls()).toBeLessThan(12);
      for (const stream of streams) stream.close();
      await Promise.all(streams.map((stream) => stream.ended));
      await sleep(1_500);
      queries.length = 0;
      await sleep(2_500);
      expect(polls(), 'while nobody listens').toBe(0);
    } finally {
      service.db.query = query;
    }
  });

  it('stays open through an outage of the database, and is told afterwards', async () => {
    const { id } = await service.etch(author);
    const stream = await listen(service.baseUrl, `/e/${id}/events`);
    await stream.until(1);
    service.outage.on = true;
    await expect.poll(() => service.log.some((line) => line.includes('states of open pages'))).toBe(true);
    service.outage.on = false;
    await service.anchor();
    expect((await stream.until(2)).at(-1)).toBe('revealed.anchored.none');
  });
});

describe('how many pages may listen', () => {
  it('is bounded for each address and in all, and what ends makes room', async () => {
    const { service, close } = await startTestService({
      settings: { LIVE_CONNECTIONS: '3', LIVE_CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: 'loopback' },
    });
    try {
      const { id } = await service.etch(await service.registerAgent());
      const path = `/e/${id}/events`;
      const first = await listen(service.baseUrl, path);
      await listen(service.baseUrl, path);
      const refused = await listen(service.baseUrl, path);
      expect(refused.response.statusCode).toBe(429);
      expect(refused.response.headers['retry-after']).toBe('5');
      const other = (from: string) =>
        service.call('GET', path, undefined, {
          headers: { accept: 'text/event-stream', 'x-forwarded-for': from },
        });
      const elsewhere = get(service.baseUrl + path, {
        headers: { accept: 'text/event-stream', 'x-forwarded-for': '192.0.2.1' },
        agent: false,
      });
      opened.push(elsewhere);
      elsewhere.on('error', () => undefined);
      const [answer] = (await once(elsewhere, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(200);
      expect((await other('192.0.2.2')).status).toBe(503);
      // Whoever only asks is answered all the same.
      expect((await service.call('GET', path)).status).toBe(200);
      first.close();
      await first.ended;
      await expect
        .poll(async () => {
          const again = await listen(service.baseUrl, path);
          return again.response.statusCode;
        })
        .toBe(200);
    } finally {
      await close();
    }
  });

  it('counts none that waits behind another answer of its connection, which would never be heard to end', async () => {
    const { service, close } = await startTestService({ settings: { LIVE_CONNECTIONS_PER_ADDRESS: '2' } });
    try {
      const { id } = await service.etch(await service.registerAgent());
      const path = `/e/${id}/events`;
      const one = `GET ${path} HTTP/1.1\r\nHost: ${new URL(service.baseUrl).host}\r\nAccept: text/event-stream\r\n\r\n`;
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () =>
        socket.write(one.repeat(2)),
      );
      await once(socket, 'data');
      // The second has been asked and answered by now: there is room for a stream of its own connection.
      await service.call('GET', path);
      const beside = await listen(service.baseUrl, path);
      expect(beside.response.statusCode).toBe(200);
      socket.destroy();
      beside.close();
      await beside.ended;
      await expect
        .poll(async () => {
          const both = await Promise.all([listen(service.baseUrl, path), listen(service.baseUrl, path)]);
          for (const stream of both) stream.close();
          return both.map(({ response }) => response.statusCode);
        })
        .toEqual([200, 200]);
    } finally {
      await close();
    }
  });

  it('lets a reader go that takes in nothing, also after its stream has ended', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    try {
      const raw = new ServerResponse(new IncomingMessage(new Socket()));
      raw.assignSocket(new Stalled());
      const faults: Error[] = [];
      raw.on('error', (error) => faults.push(error));
      const streams = createStreams({
        watch: { add: () => () => {}, close: () => {} },
        clock: { now: () => 0 },
        limits: { connections: 1, connectionsPerAddress: 1 },
      });
      const reply = { raw, hijack: () => {}, getHeaders: () => ({}) };
      streams.open({ ip: '192.0.2.1', raw: { socket: {} } } as never, reply as never, 'etch 1', 'x');
      vi.advanceTimersByTime(15 * 60_000);
      expect(raw.writableEnded).toBe(true);
      vi.advanceTimersByTime(60_000);
      expect(raw.destroyed).toBe(true);
      expect(faults).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps nobody from stopping: streams end at once, and no new one begins', async () => {
    const { service, close } = await startTestService();
    try {
      const { id } = await service.etch(await service.registerAgent());
      const streams = await Promise.all(
        Array.from({ length: 5 }, () => listen(service.baseUrl, `/e/${id}/events`)),
      );
      await Promise.all(streams.map((stream) => stream.until(1)));
      const stopped = service.assembled.drain.stop();
      await Promise.all(streams.map((stream) => stream.ended));
      for (const { response } of streams) expect(response.complete, 'ended, not cut').toBe(true);
      await stopped;
    } finally {
      await close();
    }
  });
});
