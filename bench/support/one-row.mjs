// One sealed etch in one statement, to compare with a creation.
const SEALED = `\\x${'5e'.repeat(190)}`;
const HASH = 'a1'.repeat(32);

export const ONE_ROW = `with e as (
  insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, reveal_at, sealed)
  values (gen_random_uuid(), (select id from bench_user where n = USER), substr(gen_random_uuid()::text, 1, 13), 'delayed',
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

/** As many as the load uses. */
export const PREPARE = `create table if not exists bench_user as
  select row_number() over (order by user_id) as n, user_id as id from allowance where kind = 'etch';
create unique index if not exists bench_user_n on bench_user (n)`;
