// Reads an etch on PostgreSQL, next to a bare Fastify route with the same bytes.
import { fastify } from 'fastify';
import { clientOf, etchTide, registerAgents, startGround, within } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

export const run = ({ seconds = 6 } = {}) =>
  within(async (use) => {
    const { port, read, stalled } = await startGround(use, { watched: true });
    const { path, body, etag } = await anchoredEtch(port);
    // The load generator and the service have their own processes.
    const bare = await use(fastify());
    bare.get(path, (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send(body),
    );
    await bare.listen({ host: '127.0.0.1', port: 0 });
    const rows = [];
    for (const [label, connections, more] of [
      ['1', 1],
      ['16', 16],
      ['64', 64],
      ['64, unchanged ETag', 64, { etag, expect: 304 }],
    ]) {
      const own = (time) => read({ path, connections, seconds: time, ...more });
      const plainly = (time) => read({ path, connections, seconds: time, port: bare.server.address().port });
      await own(seconds / 3);
      await plainly(seconds / 3);
      await stalled();
      const ours = await own(seconds);
      const times = [ours.p50, ours.p99, await stalled()].map(milliseconds);
      const plain = await plainly(seconds);
      const share = ratio(ours.perSecond / plain.perSecond);
      rows.push([label, rate(ours.perSecond), ...times, rate(plain.perSecond), share]);
    }
    table(
      `GET /etches/{id} on PostgreSQL, next to a bare Fastify route that serves the same ${Buffer.byteLength(body)} bytes`,
      ['connections', 'service', 'p50', 'p99', 'longest stall', 'bare route', 'ratio'],
      rows,
    );
    note(
      'Aim: at least 0.6 at 64 connections, and 0.85 for an unchanged ETag; at one connection a p50 of 0.3 ms.',
    );
  });

async function anchoredEtch(port) {
  const [key] = await registerAgents(port, 1);
  const id = await etchTide(port, key);
  await clientOf(port, key).waitForAnchored(id);
  const path = `/api/v1/etches/${id}`;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { path, body: await answer.text(), etag: answer.headers.get('etag') };
}
