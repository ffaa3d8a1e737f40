// A load generator of its own process: keep-alive sockets, requests made of bytes beforehand, answers told apart by
// Content-Length. It does as little as possible itself, because it shares the machine with what is measured.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

/**
 * @param {{ port: number, connections: number, seconds: number, request: (n: number) => Buffer, expect: number }} options
 * @returns {Promise<{ perSecond: number, p50: number, p99: number, refused: number }>} milliseconds
 */
async function run({ port, connections, seconds, request, expect }) {
  let done = 0;
  let refused = 0;
  let sent = 0;
  const times = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise((resolve, reject) => {
          const socket = connect(port, '127.0.0.1');
          socket.setNoDelay(true);
          let began = 0;
          let pending = Buffer.alloc(0);
          const next = () => {
            began = performance.now();
            if (began >= end) return (socket.destroy(), resolve());
            socket.write(request(sent++));
          };
          socket.on('connect', next);
          socket.on('error', reject);
          socket.on('data', (chunk) => {
            pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
            const head = pending.indexOf('\r\n\r\n');
            if (head < 0) return;
            const text = pending.latin1Slice(0, head);
            const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
            if (pending.length < head + 4 + length) return;
            if (Number(text.slice(9, 12)) !== expect) refused++;
            times.push(performance.now() - began);
            done++;
            pending = Buffer.alloc(0);
            next();
          });
        }),
    ),
  );
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: done / ((performance.now() - start) / 1000), p50: at(0.5), p99: at(0.99), refused };
}

function getRequest(path) {
  const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
  return () => bytes;
}

function createRequest(keys) {
  const revealAt = new Date(Date.now() + 86_400_000).toISOString();
  return (n) => {
    const body = JSON.stringify({
      content: `Prediction number ${n}: the tide will turn before the moon is up, and nobody will have seen it come.`,
      description: `A sealed prediction about the tide, number ${n}`,
      category_id: 'science',
      mode: 'delayed',
      reveal_at: revealAt,
    });
    return Buffer.from(
      `POST /api/v1/etches HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${keys[n % keys.length]}\r\n` +
        `Idempotency-Key: ${randomUUID()}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}

process.on('message', (job) => {
  const request = job.kind === 'get' ? getRequest(job.path) : createRequest(job.keys);
  run({ ...job, request }).then(
    (result) => process.send(result),
    (error) => process.send({ error: error.message }),
  );
});
