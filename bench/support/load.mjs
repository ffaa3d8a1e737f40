// Sends prepared requests on open sockets, with little work for each, because it shares the service's cores.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

/** The wait for answers after the end. */
const PATIENCE_MS = 20_000;
/** A rejected client waits. */
const REST_MS = 1_000;

/**
 * Sends at most `count` requests. With `ids` it returns the acknowledged ids, and a broken connection is no failure.
 * @returns {Promise<object>} accepted requests `perSecond`, their `p50` and `p99` in milliseconds, and their `ids`; the
 * number of others by status
 */
async function run({ port, connections, seconds, request, expect, count = Infinity, ids: wanted = false }) {
  const times = [];
  const ids = [];
  const statuses = {};
  let [sent, inTime] = [0, 0];
  const end = performance.now() + seconds * 1000;
  const converse = (resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    let pending = Buffer.alloc(0);
    let began = 0;
    const leave = () => (clearTimeout(patience), socket.destroy(), resolve());
    const patience = setTimeout(leave, seconds * 1000 + PATIENCE_MS);
    const next = () => {
      began = performance.now();
      if (began >= end || sent >= count) return leave();
      socket.write(request(sent++));
    };
    socket.on('connect', next);
    socket.on('error', (error) => (wanted ? leave() : reject(error)));
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const head = pending.indexOf('\r\n\r\n');
      if (head < 0) return;
      const text = pending.latin1Slice(0, head);
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (pending.length < head + 4 + length) return;
      const body = wanted ? pending.latin1Slice(head + 4) : '';
      pending = Buffer.alloc(0);
      const status = Number(text.slice(9, 12));
      if (status !== expect) {
        statuses[status] = (statuses[status] ?? 0) + 1;
        return void setTimeout(next, REST_MS);
      }
      const now = performance.now();
      times.push(now - began);
      if (now < end) inTime++;
      if (wanted) ids.push(/"id":"([^"]{36})"/.exec(body)[1]);
      next();
    });
  };
  await Promise.all(Array.from({ length: connections }, () => new Promise(converse)));
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: inTime / seconds, p50: at(0.5), p99: at(0.99), statuses, ids };
}

function getRequest({ path, paths = [path], key, etag }) {
  const headers =
    (key ? `Authorization: Bearer ${key}\r\n` : '') + (etag ? `If-None-Match: ${etag}\r\n` : '');
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
  const request = job.keys ? createRequest(job) : getRequest(job);
  run({ ...job, request }).then(
    (result) => process.send(result),
    (error) => process.send({ error: error.message }),
  );
});
