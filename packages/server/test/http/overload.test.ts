import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { soakOnly } from '../../../../testing/database/once.ts';
import { rounds } from '../../../../testing/rounds.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const SLOW = rounds(200, 1_000);

async function slowSocket(index: number): Promise<Socket> {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = `POST /api/v1/agents HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\n`;
  socket.write(index % 2 === 0 ? `${head}X-Unfin` : `${head}Content-Length: 5000\r\n\r\n{"public_key":"`);
  return socket;
}

describe('unfinished requests and many searches', () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
  });

  test('do not block reads and writes', async () => {
    const agent: TestAgent = await service.registerAgent();
    const first = await service.etch(agent, { content: 'storm petrel' });
    for (let from = 0; from < SLOW; from += 100) {
      const more = Array.from({ length: 100 }, (_, at) => slowSocket(from + at));
      sockets.push(...(await Promise.all(more)));
    }
    expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(SLOW / 2);
    const searches = Array.from({ length: 60 }, () => service.get('/api/v1/search?q=storm'));
    const reads = Array.from({ length: 60 }, () => service.get(`/api/v1/etches/${first.id}`));
    const writes = Array.from({ length: 20 }, (_, at) => service.etch(agent, { content: `storm ${at}` }));
    for (const answer of await Promise.all(reads)) expect(answer.status).toBe(200);
    expect(new Set((await Promise.all(writes)).map(({ id }) => id as string)).size).toBe(20);
    // A search may be rejected to protect others, with 503.
    for (const { status, headers } of await Promise.all(searches)) {
      expect([200, 503]).toContain(status);
      if (status === 503) expect(headers.get('retry-after')).not.toBeNull();
    }
    expect((await service.get('/healthz')).status).toBe(200);
  });

  test('end at a time limit', () => {
    const { requestTimeout, headersTimeout } = service.assembled.app.server;
    expect(requestTimeout).toBeLessThanOrEqual(60_000);
    expect(Math.min(requestTimeout, headersTimeout)).toBeGreaterThan(0);
  });
});

soakOnly('invalid requests leave no memory behind', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { key } = await service.registerAgent();
  const bodies = ['{', '[]', '{"content":5}', `{"content":"${'x'.repeat(5_000)}"}`, '['.repeat(30_000)];
  const send = async (times: number): Promise<number> => {
    const sendOne = async (at: number): Promise<void> => {
      const { status } = await service.post('/api/v1/etches', undefined, {
        raw: bodies[at % bodies.length]!,
        ...(at % 3 !== 0 && { key: at % 3 === 1 ? key : `svc_sk_${at}` }),
        headers: { 'idempotency-key': `wrong ${at}` },
      });
      if (status < 400 || status >= 500) expect.fail(`a wrong request was answered with ${status}`);
    };
    for (let from = 0; from < times; from += 10)
      await Promise.all(Array.from({ length: 10 }, (_, at) => sendOne(from + at)));
    // The test keeps the log in memory.
    service.log.length = 0;
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await send(1_000);
  const after = await send(4_000);
  // 2 KB kept per request would be 8 MB.
  expect(after - before).toBeLessThan(8_000_000);
});
