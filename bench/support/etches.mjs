// Makes rows inside the database, as the service would have written them.
import { createHash } from 'node:crypto';
import { searchText } from '../../packages/server/dist/search-index/fold.js';

/** The frequency of a word falls with its number. */
const WORDS = Array.from({ length: 20_000 }, (_, at) => {
  const digits = createHash('md5')
    .update(`${at + 1}`)
    .digest('hex');
  return digits
    .slice(0, 3 + ((at + 1) % 6))
    .replaceAll(/./g, (digit) => 'etaoinshrdlucmfw'[parseInt(digit, 16)]);
});
export const [COMMON, FREQUENT, SELDOM] = [1, 40, 3_000].map((n) => WORDS[n - 1]);
/** Ten etches contain it, at every size. */
export const RARE = 'xylophone';

const ACCOUNTS = 2_000;
/** The oldest accounts have the same number of etches at every size, none of them retracted. */
export const REGULARS = 20;
const REGULAR_ETCHES = 2_000;
const TOPICS =
  "array['crypto','markets','sports','politics','tech','ai','science','business','culture','personal','other']";
/** Codes of the whole range, so that new codes collide as usual (acts/creation.ts). */
const CODE = `(select string_agg(substr('23456789abcdefghjkmnpqrstuvwxyz',
  1 + (n * 514229777::bigint % ${31 ** 6} / (31 ^ place)::bigint % 31)::int, 1), '') from generate_series(0, 5) place)`;
/** Works like fold.ts, for these letters only. */
const folded = (text) => `replace(translate(lower(${text}), ' .,-', 'XWVY'), '_', 'QFP')`;

/**
 * Three fifths are public, a third is sealed, others are retracted.
 * @param {(text: string) => Promise<any[]>} run
 */
export async function fill(run, size) {
  const step = size / REGULAR_ETCHES;
  await run(`select setseed(0.42)`);
  await run(`
    insert into account (id, kind, username, display_name, created_at, public_key, agent_domain)
    select md5('account' || n)::uuid, 'agent', 'agent_' || lpad(to_hex(n), 12, '0'), 'Bench ' || n, now() - n * interval '1 minute',
      md5('a' || n) || md5('b' || n), case when n % 4 = 0 then 'bench' || n || '.example' end
    from generate_series(1, ${ACCOUNTS + REGULARS}) n`);
  await run(`
    insert into account_search (user_id, created_at, username, handle, names, source)
    select id, created_at, ${folded('username')}, null, ${folded('username')} || 'Z' || ${folded('display_name')} || 'Z',
      username || chr(10) || display_name from account`);
  await run(`
    create temp table sentence as
    select s, 'The ' || string_agg(word, ' ' order by w) || '.' as words
    from (select s, w, floor(power(${WORDS.length}, random()))::int as k from generate_series(0, 19999) s, generate_series(1, 12) w) drawn
    join unnest('{${WORDS}}'::text[]) with ordinality as vocabulary (word, k) using (k) group by s`);
  await run(`create unique index on sentence (s)`);
  await run(`
    create temp table made as
    select n, md5('etch' || n)::uuid as id,
      md5('account' || case when n % ${step} = 11 % ${step} then ${ACCOUNTS + 1} + n / ${step} % ${REGULARS}
        else 1 + floor(power(random(), 2) * ${ACCOUNTS})::int end)::uuid as user_id,
      (${TOPICS})[1 + floor(power(random(), 2) * 11)::int] as category_id,
      date_trunc('milliseconds', now() - interval '1 hour' - (${size} - n) * interval '97 milliseconds') as created_at,
      case when n % 20 = 0 then 'retracted' when n % 3 = 0 then 'sealed' else 'revealed' end as status,
      (n % 3 = 0 or n % 7 = 0) as delayed,
      floor(random() * 20000)::int as a, floor(random() * 20000)::int as b, floor(random() * 20000)::int as c
    from generate_series(1, ${size}) n`);
  const indexes = await run(`select indexname as name, indexdef as made from pg_indexes
    where tablename = 'etch_search' and indexname <> 'etch_search_pkey'`);
  for (const index of indexes) await run(`drop index ${index.name}`);
  await run(`
    insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, reveal_at, revealed_at, retracted_at, sealed,
      content, salt)
    select id, user_id, ${CODE}, case when delayed then 'delayed' else 'instant' end, status, sha256(n::text::bytea),
      left(d.words, 60) || case when n % (${size} / 10) = 7 then ' Xylophone' else '' end, category_id, created_at,
      case when status = 'sealed' then now() + interval '1 day' + n * interval '1 second' when delayed then created_at + interval '5 minutes' end,
      case when status = 'sealed' then null when delayed then created_at + interval '5 minutes' else created_at end,
      case when status = 'retracted' then created_at + interval '10 minutes' end,
      case when status = 'sealed' then decode(repeat(md5(n::text), 8), 'hex') end,
      case when status = 'revealed' then e.words || ' ' || f.words end, case when status = 'revealed' then sha256(id::text::bytea) end
    from made join sentence d on d.s = a join sentence e on e.s = b join sentence f on f.s = c order by n`);
  await run(`
    insert into etch_search (etch_id, user_id, category_id, status, created_at, reveal_at, text)
    select id, user_id, category_id, status, created_at, reveal_at, ${folded('description')} || 'Z' || coalesce(${folded('content')}, '')
    from etch order by created_at`);
  await run(`
    insert into account_count (user_id, category_id, total, sealed, revealed, retracted)
    select user_id, coalesce(category_id, '*'), count(*), count(*) filter (where status = 'sealed'),
      count(*) filter (where status = 'revealed'), count(*) filter (where status = 'retracted')
    from etch_search group by grouping sets ((user_id, category_id), (user_id))`);
  await run(`
    insert into topic_count (category_id, sealed, revealed, retracted)
    select category_id, sum(sealed), sum(revealed), sum(retracted) from account_count where category_id <> '*' group by category_id`);
  for (const index of indexes) await run(index.made);
  await run('vacuum analyze');
  const samples = await run(`
    select e.description, e.content, s.text from etch e join etch_search s on s.etch_id = e.id order by e.id limit 500`);
  for (const { description, content, text } of samples)
    if (searchText(description, content) !== text) throw new Error(`folded differently: ${description}`);
}
