// Prepared requests on kept-alive sockets; does little, because it shares the machine.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

/** For answers after the end. */
const PATIENCE_MS = 20_000;
/** The pause of a rejected client. */
const REST_MS = 1_000;

/**
 * Sends at most `count` requests. With `ids` it also returns acknowledged ids and reasons of rejections, and continues when a
 * connection breaks.
 * @param {{ port: number, connections: number, seconds: number, request: (n: number) => Buffer, expect: number, count?: number,
 *   ids?: boolean }} options
 * @returns {Promise<object>} requests `perSecond`, `acceptedPerSecond`; of the accepted `p50` and `p99` in milliseconds, and
 *   `settled`, the p99 without the first of each connection; `refused` with their `statuses`; with `ids`: `unnamed` (rejections
 *   without Retry-After), connections that were `cut` or `unanswered` long after the end, `ids`
 */
async function run({ port, connections, seconds, request, expect, count = Infinity, ids: wanted = false }) {
  let done = 0;
  let refused = 0;
  let unnamed = 0;
  let cut = 0;
  const ids = [];
  const statuses = {};
  let sent = 0;
  const first = [];
  const later = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  let inTime = 0;
  let unanswered = 0;
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise((resolve, reject) => {
          const socket = connect(port, '127.0.0.1');
          socket.setNoDelay(true);
          let began = 0;
          let answered = false;
          let pending = Buffer.alloc(0);
          const leave = () => (clearTimeout(patience), socket.destroy(), resolve());
          const patience = setTimeout(() => (unanswered++, leave()), seconds * 1000 + PATIENCE_MS);
          const next = () => {
            began = performance.now();
            if (began >= end || sent >= count) return leave();
            socket.write(request(sent++));
          };
          socket.on('connect', next);
          socket.on('error', (error) => (wanted ? (cut++, leave()) : reject(error)));
          socket.on('data', (chunk) => {
            pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
            const head = pending.indexOf('\r\n\r\n');
            if (head < 0) return;
            const text = pending.latin1Slice(0, head);
            const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
            if (pending.length < head + 4 + length) return;
            const status = Number(text.slice(9, 12));
            const body = wanted ? pending.latin1Slice(head + 4) : '';
            pending = Buffer.alloc(0);
            done++;
            if (status !== expect) {
              refused++;
              statuses[status] = (statuses[status] ?? 0) + 1;
              if (!/\r\nretry-after:/i.test(text)) unnamed++;
              return wanted ? void setTimeout(next, REST_MS) : next();
            }
            const now = performance.now();
            (answered ? later : first).push(now - began);
            answered = true;
            if (now < end) inTime++;
            if (wanted) ids.push(/"id":"([^"]{36})"/.exec(body)[1]);
            next();
          });
        }),
    ),
  );
  const times = first.concat(later);
  for (const some of [times, later]) some.sort((a, b) => a - b);
  const at = (share, of = times) => of[Math.min(of.length - 1, Math.floor(of.length * share))] ?? 0;
  const took = (performance.now() - start) / 1000;
  return {
    perSecond: done / took,
    acceptedPerSecond: inTime / seconds,
    p50: at(0.5),
    p99: at(0.99),
    settled: at(0.99, later),
    refused,
    statuses,
    ...(wanted && { unnamed, cut, unanswered, ids }),
  };
}

function getRequest({ path, paths = [path], key, etag }) {
  const headers = [
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}\r\n`]),
    ...(etag === undefined ? [] : [`If-None-Match: ${etag}\r\n`]),
  ].join('');
  const all = paths.map((one) => Buffer.from(`GET ${one} HTTP/1.1\r\nHost: bench\r\n${headers}\r\n`));
  return (n) => all[n % all.length];
}

function createRequest({ keys, revealAt = new Date(Date.now() + 86_400_000).toISOString() }) {
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
  const request = job.kind === 'get' ? getRequest(job) : createRequest(job);
  run({ ...job, request }).then(
    (result) => process.send(result),
    (error) => process.send({ error: error.message }),
  );
});
