// Next to a bare Fastify route with the same bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../scripts/postgres.mjs';
import { post, registerAgents, startLoad } from './support/processes.mjs';
import { printProfile } from './support/profile.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';
import { startWatchedService } from './support/watched-service.mjs';

export async function run({ seconds = 6 } = {}) {
  const postgres = await startPostgres();
  try {
    await measure('PostgreSQL', { DATABASE_URL: postgres.url }, seconds);
  } finally {
    await postgres.stop();
  }
  await measure('PGlite', {}, seconds);
  await printProfile({
    title: 'GET /etches/{id} at 64 connections',
    seconds,
    async prepare({ port }) {
      const { path } = await anchoredEtch(port);
      return { kind: 'get', path, port, connections: 64, expect: 200 };
    },
  });
}

async function measure(name, settings, seconds) {
  const service = await startWatchedService(settings);
  const load = startLoad();
  const bare = fork(fileURLToPath(new URL('support/bare-route.mjs', import.meta.url)));
  try {
    const { path, body, etag } = await anchoredEtch(service.port);
    bare.send({ path, body, url: settings.DATABASE_URL });
    const [{ port: barePort }] = await once(bare, 'message');
    const job = (port, connections, time, more) =>
      load.run({ kind: 'get', path, port, connections, seconds: time, expect: 200, ...more });
    const rows = [];
    for (const [connections, more, label = connections] of [
      [1],
      [16],
      [64],
      [64, { etag, expect: 304 }, '64, unchanged'],
    ]) {
      await job(service.port, connections, seconds / 3, more);
      await job(barePort, connections, seconds / 3);
      await service.stalled();
      const ours = await job(service.port, connections, seconds, more);
      const stall = await service.stalled();
      const plain = await job(barePort, connections, seconds);
      rows.push([
        label,
        rate(ours.perSecond),
        milliseconds(ours.p50),
        milliseconds(ours.p99),
        rate(plain.perSecond),
        ratio(ours.perSecond / plain.perSecond),
        milliseconds(stall),
      ]);
    }
    table(
      `GET /etches/{id} on ${name}, beside a bare Fastify route serving the same ${Buffer.byteLength(body)} bytes`,
      ['connections', 'service', 'p50', 'p99', 'bare route', 'ratio', 'longest stall'],
      rows,
    );
    if (settings.DATABASE_URL) {
      const { p50 } = await job(barePort, 1, seconds, { path: '/asking' });
      note(
        `\nAt one connection a bare route that asks for the row by its key has a p50 of ${p50.toFixed(2)} ms.`,
      );
    }
    note(
      '\nAim: at least 0.6 on PostgreSQL at 64 connections, and 0.85 where the ETag says that nothing changed; at one connection a p50 of 0.3 ms.',
    );
  } finally {
    bare.kill();
    load.stop();
    await service.stop();
  }
}

async function anchoredEtch(port) {
  const [key] = await registerAgents(port, 1);
  const text = {
    content: 'The tide will turn before the moon is up.',
    description: 'About the tide',
    category_id: 'science',
  };
  const { etch } = await post(port, '/api/v1/etches', { ...text, mode: 'instant' }, key);
  const path = `/api/v1/etches/${etch.id}`;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    const body = await answer.text();
    const etag = answer.headers.get('etag');
    if (JSON.parse(body).etch.chain.status === 'anchored') return { path, body, etag };
    await sleep(200);
  }
}
