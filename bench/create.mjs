// Creates durable etches on PostgreSQL, next to plain inserts of the same rows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run as runProgram } from '../scripts/prerequisites/run.mjs';
import { cpuTime } from './support/cpu-time.mjs';
import { UNANCHORED, newFolder, startGround, within } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

const AGENTS = 32;
const SEALED = `\\x${'5e'.repeat(190)}`;
const HASH = 'a1'.repeat(32);

/** Inserts one sealed etch in one statement. */
const ONE_ROW = `with e as (
  insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, reveal_at, sealed)
  values (gen_random_uuid(), (select id from bench_user where n = :u), substr(gen_random_uuid()::text, 1, 13), 'delayed',
    'sealed', decode(md5(random()::text) || substr('${HASH}', 1, 32), 'hex'), 'A sealed prediction about the tide, number 1', 'science',
    now(), now() + interval '1 day', '${SEALED}')
  returning id, user_id, created_at
), j as (
  insert into anchor_job (kind, etch_id, created_at) select 0, id, created_at from e
), k as (
  insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
  select user_id, gen_random_uuid()::text, 'POST /etches', id, '\\x${HASH}' from e
), q as (
  insert into search_queue (etch_ids) select array[id] from e
)
update allowance a set spent = a.spent + 1, updated_at = e.created_at from e where a.user_id = e.user_id and a.kind = 'etch'`;

const PREPARE = `create table bench_user as
  select row_number() over (order by user_id) as n, user_id as id from allowance where kind = 'etch';
create unique index bench_user_n on bench_user (n)`;

export const run = ({ seconds = 6 } = {}) =>
  within(async (use) => {
    const ground = await startGround(use, { settings: UNANCHORED, watched: true, agents: AGENTS });
    const { postgres, client, pid } = ground;
    const spent = () => [cpuTime(pid), cpuTime(postgres.pid(), { withChildren: true })];
    const results = await creations(ground, seconds, spent);
    await client.query(PREPARE);
    const { path } = await use(newFolder());
    const plain = [];
    for (const { connections } of results)
      plain.push(await oneRowRate(postgres, join(path, 'one-row.sql'), connections, seconds));
    table(
      'POST /etches on PostgreSQL, next to one-row inserts by pgbench',
      [
        ...['connections', 'service', 'p50', 'p99', 'longest stall'],
        ...['one-row inserts', 'of the best one-row rate'],
        ...['CPU of the service for each etch', 'CPU of PostgreSQL'],
      ],
      results.map(({ connections, perSecond, p50, p99, stall, before, after }, index) => [
        connections,
        rate(perSecond),
        ...[p50, p99, stall].map(milliseconds),
        rate(plain[index]),
        ratio(perSecond / Math.max(...plain)),
        ...after.map((time, at) => `${Math.round((time - before[at]) / (perSecond * seconds))} µs`),
      ]),
    );
    note(
      'Aim: at least 1.0 of the best one-row rate at 64 connections; at one connection p50 at most 2.5 times a plain insert.',
    );
  });

/** Calls `read` before and after each measurement. */
export async function creations({ create, stalled }, seconds, read, settle = () => {}) {
  await create({ connections: 64, seconds: seconds / 2 }); // creates every account's allowance
  const results = [];
  for (const connections of [1, 16, 64]) {
    await stalled();
    const before = await read();
    const found = await create({ connections, seconds });
    results.push({ ...found, connections, before, after: await read(), stall: await stalled() });
    await settle();
  }
  return results;
}

/**
 * @returns inserts a second
 * @throws without pgbench, which comes with PostgreSQL's server
 */
async function oneRowRate({ url, binDir }, script, connections, seconds) {
  await writeFile(script, `\\set u random(1, ${AGENTS})\n${ONE_ROW.replaceAll('\n', ' ')};\n`);
  const threads = Math.min(2, connections);
  const args = ['-n', '-M', 'prepared', '-c', connections, '-j', threads, '-T', seconds, '-f', script, url];
  const { stdout, stderr } = await runProgram(join(binDir, 'pgbench'), args.map(String), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const tps = /tps = ([\d.]+)/.exec(stdout)?.[1];
  if (tps === undefined) throw new Error(`pgbench failed: ${stderr.slice(-500)}`);
  return Number(tps);
}
