// Creates durable etches on PostgreSQL, next to plain inserts of the same rows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from '../scripts/prerequisites/run.mjs';
import { cpuTime } from './support/cpu-time.mjs';
import { UNANCHORED, newFolder, startGround } from './support/processes.mjs';
import { milliseconds, rate, ratio } from './support/report.mjs';

const AGENTS = 32;
const SECONDS = 6;

/** Inserts one sealed etch in one statement. */
const ONE_ROW = `with e as (
  insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, reveal_at, sealed)
  values (gen_random_uuid(), (select id from bench_user where n = :u), substr(gen_random_uuid()::text, 1, 13), 'delayed',
    'sealed', sha256(random()::text::bytea), 'A sealed prediction about the tide, number 1', 'science',
    now(), now() + interval '1 day', decode(repeat('5e', 190), 'hex'))
  returning id, user_id, created_at
), j as (
  insert into anchor_job (kind, etch_id, created_at) select 0, id, created_at from e
), k as (
  insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
  select user_id, gen_random_uuid()::text, 'POST /etches', id, sha256('') from e
), q as (
  insert into search_queue (etch_ids) select array[id] from e
)
update allowance a set spent = a.spent + 1, updated_at = e.created_at from e where a.user_id = e.user_id and a.kind = 'etch'`;

const PREPARE = `create table bench_user as
  select row_number() over (order by user_id) as n, user_id as id from allowance where kind = 'etch';
create unique index bench_user_n on bench_user (n)`;

export const aim =
  'at least 1.0 of the best one-row rate at 64 connections; at one connection p50 at most 2.5 times a plain insert.';

export async function measure(use) {
  const { postgres, client, pid, create } = await startGround(use, { settings: UNANCHORED, agents: AGENTS });
  await create({ connections: 64, seconds: SECONDS / 2 }); // creates every account's allowance
  const spent = () => [cpuTime(pid), cpuTime(postgres.pid())];
  const results = [];
  for (const connections of [1, 16, 64]) {
    const before = spent();
    const found = await create({ connections, seconds: SECONDS });
    const cpu = spent().map((time, at) => (time - before[at]) / (found.perSecond * SECONDS));
    results.push({ ...found, connections, cpu });
  }
  await client.query(PREPARE);
  const { path } = await use(newFolder());
  const script = join(path, 'one-row.sql');
  await writeFile(script, `\\set u random(1, ${AGENTS})\n${ONE_ROW.replaceAll('\n', ' ')};\n`);
  for (const result of results) result.plain = await oneRowRate(postgres, script, result.connections);
  const best = Math.max(...results.map(({ plain }) => plain));
  return {
    table: 'POST /etches on PostgreSQL, next to one-row inserts by pgbench',
    head: [
      'connections',
      'service',
      'p50',
      'p99',
      'one-row inserts',
      'of the best one-row rate',
      'CPU of the service for each etch',
      'CPU of PostgreSQL',
    ],
    rows: results.map(({ connections, perSecond, p50, p99, plain, cpu }) => [
      connections,
      rate(perSecond),
      milliseconds(p50),
      milliseconds(p99),
      rate(plain),
      ratio(perSecond / best),
      ...cpu.map((time) => `${Math.round(time)} µs`),
    ]),
  };
}

/** @returns inserts a second. @throws without pgbench, which comes with PostgreSQL's server */
async function oneRowRate({ url, binDir }, script, connections) {
  const threads = Math.min(2, connections);
  const args = ['-n', '-M', 'prepared', '-c', connections, '-j', threads, '-T', SECONDS, '-f', script, url];
  const output = await call(join(binDir, 'pgbench'), args.map(String));
  const [, tps] = /tps = ([\d.]+)/.exec(output);
  return Number(tps);
}
