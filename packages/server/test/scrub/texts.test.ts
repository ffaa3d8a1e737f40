// Runs on both databases.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { TEXT_COLUMNS, THEIR_COLUMNS } from '../../src/acts/scrub/texts.ts';
import { dropStatistics } from '../../src/acts/scrub/scrub.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';

const db = useDatabase();

test('lists every column of text or bytes, with a reason if it holds no text of users', async () => {
  const columns = await db.query<{ name: string }>(sql`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'm') and a.attnum > 0
      and not a.attisdropped and (coalesce(e.typcategory, t.typcategory) = 'S'
        or coalesce(e.typname, t.typname) in ('bytea', 'json', 'jsonb', 'xml', 'tsvector', 'hstore', 'bit', 'varbit'))`);
  const listed = Object.entries(TEXT_COLUMNS).flatMap(([table, names]) =>
    Object.keys(names).map((name) => `${table}.${name}`),
  );
  expect(listed.sort()).toEqual(columns.map(({ name }) => name).sort());
});

test('columns of users’ text have no samples in the statistics and get none', async () => {
  const theirs = Object.entries(THEIR_COLUMNS).flatMap(([table, names]) =>
    names.map((name) => `${table}.${name}`),
  );
  const targets = await db.query<{ name: string; target: number | null }>(sql`
    select c.relname || '.' || a.attname as name, a.attstattarget::integer as target
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relname || '.' || a.attname = any(${theirs}::text[])`);
  expect(targets.map(({ name }) => name).sort()).toEqual([...theirs].sort());
  expect(targets.filter(({ target }) => target !== 0)).toEqual([]);
});

test('drops and reports samples and extended statistics on users’ text', async () => {
  await db.query(sql`
    insert into account (id, kind, username, display_name, created_at)
    select gen_random_uuid(), 'human', 'user_' || i, 'Canary ' || i % 3, now() from generate_series(1, 30) i`);
  await db.query(sql`alter table account alter column display_name set statistics 10`);
  await db.query(sql`create statistics nosy on username, display_name from account`);
  await db.query(sql`analyze account`);
  const samples = () =>
    db.query(sql`select 1 from pg_stats where schemaname = current_schema() and attname = 'display_name'`);
  expect(await samples()).toHaveLength(1);
  const { dropped, left } = await dropStatistics(db);
  expect(left).toEqual([]);
  expect(dropped).toHaveLength(2);
  expect(dropped).toEqual(
    expect.arrayContaining([
      'samples of account.display_name',
      expect.stringMatching(/statistics .*\.nosy$/),
    ]),
  );
  await db.query(sql`analyze account`);
  expect(await samples()).toEqual([]);
  expect(await dropStatistics(db)).toEqual({ dropped: [], left: [] });
});
