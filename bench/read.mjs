// Reads an etch on PostgreSQL, next to a bare Fastify route with the same bytes.
import { fastify } from 'fastify';
import { clientOf, startGround } from './support/processes.mjs';
import { milliseconds, rate, ratio } from './support/report.mjs';

const SECONDS = 6;

export const aim =
  'at least 0.6 at 64 connections, and 0.85 for an unchanged ETag; at one connection a p50 of 0.3 ms.';

export async function measure(use) {
  const { port, keys, read } = await startGround(use, { agents: 1 });
  const client = clientOf(port, keys[0]);
  const { etch } = await client.etch({
    content: 'The tide will turn before the moon is up.',
    description: 'About the tide',
    category_id: 'science',
    mode: 'instant',
  });
  await client.waitForAnchored(etch.id);
  const path = `/api/v1/etches/${etch.id}`;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  const [body, etag] = [await answer.text(), answer.headers.get('etag')];
  // The load generator and the service have their own processes.
  const bare = await use(fastify());
  bare.get(path, (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(body),
  );
  await bare.listen({ host: '127.0.0.1', port: 0 });
  const rows = [];
  for (const [label, connections, more] of [
    ['1', 1],
    ['64', 64],
    ['64, unchanged ETag', 64, { etag, expect: 304 }],
  ]) {
    const own = { path, connections, ...more };
    const plain = { path, connections, port: bare.server.address().port };
    for (const job of [own, plain]) await read({ ...job, seconds: SECONDS / 3 });
    const service = await read({ ...own, seconds: SECONDS });
    const route = await read({ ...plain, seconds: SECONDS });
    const times = [service.p50, service.p99].map(milliseconds);
    const share = ratio(service.perSecond / route.perSecond);
    rows.push([label, rate(service.perSecond), ...times, rate(route.perSecond), share]);
  }
  return {
    table: `GET /etches/{id} on PostgreSQL, next to a bare Fastify route that serves the same ${Buffer.byteLength(body)} bytes`,
    head: ['connections', 'service', 'p50', 'p99', 'bare route', 'ratio'],
    rows,
  };
}
