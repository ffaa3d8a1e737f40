import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../scripts/prerequisites/run.mjs';
import { connect, newFolder, within } from './processes.mjs';

// Inserts one sealed etch in one statement, to compare with a creation.
const SEALED = `\\x${'5e'.repeat(190)}`;
const HASH = 'a1'.repeat(32);
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

const PREPARE = `create table if not exists bench_user as
  select row_number() over (order by user_id) as n, user_id as id from allowance where kind = 'etch';
create unique index if not exists bench_user_n on bench_user (n)`;

/**
 * @returns inserts a second
 * @throws without pgbench, which comes with PostgreSQL's server
 */
export const oneRowRate = ({ url, binDir, users, connections, seconds }) =>
  within(async (use) => {
    await (await use(connect(url))).query(PREPARE);
    const script = join((await use(newFolder())).path, 'one-row.sql');
    await writeFile(script, `\\set u random(1, ${users})\n${ONE_ROW.replaceAll('\n', ' ')};\n`);
    const threads = Math.min(2, connections);
    const args = ['-n', '-M', 'prepared', '-c', connections, '-j', threads, '-T', seconds, '-f', script, url];
    const { stdout, stderr } = await run(join(binDir, 'pgbench'), args.map(String), {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const tps = /tps = ([\d.]+)/.exec(stdout)?.[1];
    if (tps === undefined) throw new Error(`pgbench failed: ${stderr.slice(-500)}`);
    return Number(tps);
  });
