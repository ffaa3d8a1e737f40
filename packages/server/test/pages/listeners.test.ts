import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { createStreams } from '../../src/http/live/streams.ts';
import { startTestService } from '../../../../testing/service/service.ts';
import { endStreams, listen } from './stream.ts';

class Stalled extends Socket {
  override _read(): void {}
  override _write(): void {}
}

endStreams();

it('live pages are limited per address and in total; a closed page frees its slot', async () => {
  const limits = { TEST_LIVE_CONNECTIONS: '3', TEST_LIVE_CONNECTIONS_PER_ADDRESS: '2' };
  const { service, close } = await startTestService({ settings: { ...limits, TRUST_PROXY: 'loopback' } });
  try {
    const { id } = await service.etch(await service.registerAgent());
    const path = `/e/${id}/events`;
    const open = async (from?: number) => {
      const stream = await listen(
        service.baseUrl,
        path,
        from ? { 'x-forwarded-for': `192.0.2.${from}` } : {},
      );
      return { ...stream, status: stream.response.statusCode };
    };
    const first = await open();
    expect([first.status, (await open()).status]).toEqual([200, 200]);
    const refused = await open();
    expect([refused.status, refused.response.headers['retry-after']]).toEqual([429, '5']);
    expect([(await open(1)).status, (await open(2)).status]).toEqual([200, 503]);
    expect((await service.get(path)).status).toBe(200);
    first.close();
    await first.ended;
    await expect.poll(async () => (await open()).status).toBe(200);
  } finally {
    await close();
  }
});

it('drops a reader that does not read, also after its stream ended', async () => {
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
    await streams.open({ ip: '192.0.2.1', raw: { socket: {} } } as never, reply as never, 'etch 1', 'x');
    vi.advanceTimersByTime(15 * 60_000);
    expect(raw.writableEnded).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(raw.destroyed).toBe(true);
    expect(faults).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

it('does not delay a stop: streams end at once, and no new one begins', async () => {
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
