// Runs without a database.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LAYERS, SQL_ELSEWHERE, TABLES, WRITES_ANY, WRITES_TOO } from '../../../../architecture.config.js';
import { moduleOf, ROOT, sourceFiles } from './imports.ts';

const SERVER = join(ROOT, 'packages/server/src');
const MIGRATIONS = join(SERVER, 'db/migrations');

const tables = new Set(['schema_migration']);
for (const file of readdirSync(MIGRATIONS).sort()) {
  const text = readFileSync(join(MIGRATIONS, file), 'utf8').replace(/--[^\n]*/g, '');
  for (const [, verb, name] of text.matchAll(/\b(create|drop) table (?:if (?:not )?exists )?([a-z_]+)/g)) {
    if (verb === 'create') tables.add(name!);
    else tables.delete(name!);
  }
}

/** Matches a statement that writes, up to the table's name. `on conflict do update set` names none. */
const WRITES =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|update(?:\s+only)?(?=\s+[a-z_]+\s+(?:[a-z]+\s+)?set\b))\s+"?([a-z_]+)/gi;

/** Matches a write whose table's name is a parameter or a concatenation. `for update` locks rows. */
const WRITES_BY_NAME =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate|(?<!\bfor\s+(?:no\s+key\s+)?)update)(?:\s+(?:only|table))*\s*(?:\s"?\$\{|["'`]\s*\+)/i;

const written = sourceFiles('packages/server/src').flatMap((file) =>
  [...readFileSync(join(SERVER, file), 'utf8').matchAll(WRITES)]
    .map(([, table]) => table!)
    .filter((table) => tables.has(table))
    .map((table) => `${table} by ${moduleOf(file)}`),
);

test('every table has an existing module that writes it', () => {
  expect(Object.keys(TABLES).sort()).toEqual([...tables].sort());
  const modules = LAYERS.flat();
  expect(
    [...Object.values(TABLES), ...WRITES_TOO.map(({ module }) => module)].filter(
      (module) => !modules.includes(module),
    ),
  ).toEqual([]);
});

test('no other module writes it, except those with a reason', () => {
  const allowed = [
    ...Object.entries(TABLES).map(([table, module]) => `${table} by ${module}`),
    ...WRITES_TOO.map(({ module, table }) => `${table} by ${module}`),
  ];
  const found = [...new Set(written)];
  expect(found.filter((one) => !allowed.includes(one))).toEqual([]);
  // No reason may outlive its statement.
  expect(
    WRITES_TOO.map(({ module, table }) => `${table} by ${module}`).filter((one) => !found.includes(one)),
  ).toEqual([]);
  expect(WRITES_TOO.filter(({ why }) => why.trim() === '')).toEqual([]);
});

test("no statement takes its table's name as a parameter, except in the files with a reason", () => {
  const found = sourceFiles('packages/server/src').filter((file) =>
    WRITES_BY_NAME.test(readFileSync(join(SERVER, file), 'utf8')),
  );
  expect(found).toEqual(WRITES_ANY.files);
  expect(WRITES_ANY.why.trim()).not.toBe('');
});

test.each([
  ['delete from ${table}', true],
  ['delete from only "${table}"', true],
  ["'insert into ' + table", true],
  ['update ${table} set a = 1', true],
  ['truncate table ${table}', true],
  ['select id from etch for update ${skip}', false],
  ['select id from etch for no key update ${skip}', false],
  ['delete from etch where id = ${id}', false],
  ['insert into etch ${rows}', false],
  ['on conflict do update set a = ${a}', false],
])('recognizes that the table of %s is a parameter: %s', (statement, is) => {
  expect(WRITES_BY_NAME.test(statement)).toBe(is);
});

test('every table is written', () => {
  const silent = Object.entries(TABLES).filter(
    ([table, module]) => !written.includes(`${table} by ${module}`),
  );
  expect(silent.map(([table]) => table)).toEqual([]);
});

test('SQL is only in stores, the ledger, db, admin and the listed files', () => {
  const usual = /(^|[/-])store\.ts$|^(db|admin|anchoring\/ledger)\//;
  const others = sourceFiles('packages/server/src').filter(
    (file) => !usual.test(file) && /\bsql`/.test(readFileSync(join(SERVER, file), 'utf8')),
  );
  expect(others).toEqual(SQL_ELSEWHERE);
});
