// Runs on both databases.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { prepared } from '../../src/db/db.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';

const db = useDatabase();

test('a list keeps elements that contain delimiters, quotes and escapes', async () => {
  const texts = [
    '',
    'plain',
    'a"b',
    'a\\b',
    '{,}',
    'null',
    'NULL',
    ' space ',
    "it's",
    '\ufeffmark',
    '\u{1f30a}',
    '\\x00',
  ];
  const bytes = [Buffer.alloc(0), Buffer.from('00ff5c22', 'hex'), Buffer.alloc(300, 7)];
  const [row] = await db.query<{ texts: string; bytes: string; none: null }>(sql`
    select array_to_json(${texts}::text[])::text as texts,
      (select json_agg(encode(b, 'hex') order by n)::text from unnest(${bytes}::bytea[]) with ordinality as u (b, n)) as bytes,
      null::bytea as none`);
  expect(JSON.parse(row!.texts)).toEqual(texts);
  expect(JSON.parse(row!.bytes)).toEqual(bytes.map((value) => value.toString('hex')));
  expect(row!.none).toBe(null);
});

test('a row of many columns has names, bytes as bytes, and null', async () => {
  const wide = Array.from({ length: 60 }, (_, index) => `${index} as c${index}`).join(', ');
  const ask = {
    text: `select ${wide}, '\\x0102'::bytea as bytes, null::bytea as none, true as yes from generate_series(1, 2)`,
    values: [],
  };
  for (const statement of [ask, ask]) {
    const rows = await db.query<Record<string, unknown>>(statement as never);
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(Object.keys(row)).toHaveLength(63);
      expect(row).toMatchObject({ c0: 0, c59: 59, bytes: Buffer.from([1, 2]), none: null, yes: true });
    }
  }
  expect(await db.query(prepared(sql`select 1 as one where ${false}::boolean`))).toEqual([]);
});
