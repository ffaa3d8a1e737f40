// Reads an etch on PostgreSQL, next to a bare Fastify route with the same bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../scripts/postgres.mjs';
import { clientOf, registerAgents, startLoad, startService, within } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

const BARE_ROUTE = fileURLToPath(new URL('support/bare-route.mjs', import.meta.url));

export const run = ({ seconds = 6 } = {}) =>
  within(async (use) => {
    const { url } = await use(startPostgres());
    const service = await use(startService({ DATABASE_URL: url }, { watched: true }));
    const load = await use(startLoad());
    const { path, body, etag } = await anchoredEtch(service.port);
    const bare = fork(BARE_ROUTE);
    await use({ stop: () => bare.kill() });
    bare.send({ path, body });
    const [barePort] = await once(bare, 'message');
    const rows = [];
    for (const [label, connections, more] of [
      ['1', 1],
      ['16', 16],
      ['64', 64],
      ['64, unchanged ETag', 64, { etag, expect: 304 }],
    ]) {
      const job = (port, time, how) =>
        load.run({ path, port, connections, seconds: time, expect: 200, ...how });
      await job(service.port, seconds / 3, more);
      await job(barePort, seconds / 3);
      await service.stalled();
      const ours = await job(service.port, seconds, more);
      const stall = await service.stalled();
      const plain = await job(barePort, seconds);
      const times = [ours.p50, ours.p99, stall].map(milliseconds);
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
  const client = clientOf(port, (await registerAgents(port, 1))[0]);
  const { etch } = await client.etch({
    content: 'The tide will turn before the moon is up.',
    description: 'About the tide',
    category_id: 'science',
    mode: 'instant',
  });
  await client.waitForAnchored(etch.id);
  const path = `/api/v1/etches/${etch.id}`;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { path, body: await answer.text(), etag: answer.headers.get('etag') };
}
