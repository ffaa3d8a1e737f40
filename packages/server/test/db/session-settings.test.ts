// Runs on PostgreSQL only.
import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useDatabase, withDatabase } from '../../../../testing/database/test-database.ts';
import { useService } from '../../../../testing/service/service.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPostgres, type PostgresOptions } from '../../src/db/postgres.ts';
import { checkSession } from '../../src/db/sessions.ts';

/** Settings of a database or a role by an operator, which change how PostgreSQL reads or prints values. */
const SETTINGS = [
  "bytea_output = 'escape'",
  'standard_conforming_strings = off',
  'array_nulls = off',
  'extra_float_digits = -15',
  "datestyle = 'SQL, DMY'",
  "timezone = 'America/Caracas'",
  "default_transaction_isolation = 'serializable'",
  "lock_timeout = '1ms'",
];

const database = useDatabase({ settings: SETTINGS });
const open = (more: Partial<PostgresOptions> = {}, url = database.url!) => {
  const db = openPostgres({ url, poolSize: 2, ...more });
  onTestFinished(() => db.close());
  return db;
};

describe.each(['none', 'transaction'] as const)('with the pooler %s', (pooler) => {
  test('the settings of a database change no value', async () => {
    const bytes = Buffer.from('005cff', 'hex');
    const texts = ['a\\b', null];
    const at = '2026-03-01T02:03:04.567Z';
    const values = sql`select ${bytes}::bytea as bytes, '\\x005c'::bytea as literal, ${texts}::text[] is not null
        and (${texts}::text[])[2] is null as "hasNull", ${0.1}::float8 + ${0.2}::float8 as sum, ${at}::timestamptz as at,
      current_setting('transaction_isolation') as isolation, current_setting('lock_timeout') as "lockTimeout"`;
    const expected = {
      bytes,
      literal: Buffer.from('005c', 'hex'),
      hasNull: true,
      sum: 0.1 + 0.2,
      at,
      isolation: 'read committed',
      lockTimeout: '0',
    };
    const db = open({ pooler });
    await checkSession(db);
    expect(await db.one(values)).toEqual(expected);
    expect(await db.tx((tx) => tx.one(values))).toEqual(expected);
    const snapshot = await db.tx((tx) => tx.one(values), { snapshot: true });
    expect(snapshot).toEqual({ ...expected, isolation: 'repeatable read' });
  });

  test('an empty database is migrated', () =>
    withDatabase(async ({ url }) => void (await migrate(open({ pooler }, url))), {
      migrated: false,
      settings: SETTINGS,
    }));
});

test('options in DATABASE_URL are added to the settings of the service', async () => {
  const url = `${database.url}?options=${encodeURIComponent('-c search_path=pg_catalog,public')}`;
  const db = open({}, url);
  await checkSession(db);
  expect(await db.value(sql`select current_setting('search_path')`)).toBe('pg_catalog,public');
});

test('a start names a setting that the connection does not take', async () => {
  const db = open({ parameters: { bytea_output: 'escape' } });
  await expect(checkSession(db)).rejects.toMatchObject({
    permanent: true,
    reason: expect.stringMatching(/^DATABASE_URL: bytea_output is "escape" .* needs "hex"/),
  });
});

describe('a service', () => {
  const service = useService({ database: { settings: SETTINGS } });

  test('accepts its keys and returns its texts', async () => {
    const agent = await service.registerAgent();
    const etch = await service.etch(agent, { content: 'A back\\slash.' });
    expect((await service.get(`/api/v1/etches/${etch.id}`)).body.etch).toMatchObject({
      content: 'A back\\slash.',
      hash: etch.hash,
    });
  });
});
