// Runs on both databases.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { exportArchive } from '../../src/admin/archive/export.ts';
import { importArchive } from '../../src/admin/archive/import.ts';
import { LEFT_OUT, listTables, readRows } from '../../src/admin/archive/tables.ts';
import { readTar, unpackTar } from '../../src/admin/archive/tar-files.ts';
import { fsck } from '../../src/admin/fsck/fsck.ts';
import type { Db } from '../../src/db/db.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';
import { checkSecretKeys } from '../../src/platform/secrets/secret-keys.ts';
import { withDatabase } from '../../../../testing/database/test-database.ts';
import { useService } from '../../../../testing/service/service.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { once } from '../../../../testing/database/once.ts';
import { CANARY, liveAWhile, unzipped } from './support.ts';

const service = useService({ chain: true });
const folder = newFolder('archive');
let made: Awaited<ReturnType<typeof liveAWhile>>;
let file = '';
const silent = () => undefined;
const write = (to: string, publicOnly = false) => {
  const { config, keyring, chain } = service;
  const options = { config, keyring, relayer: chain.relayer, publicOnly, progress: silent };
  return exportArchive(service.db, to, options);
};
const inEmpty = (work: (db: Db) => Promise<void>) => withDatabase(work, { migrated: false });
const load = (db: Db, from: string, keyring = service.keyring) => importArchive(db, from, keyring, silent);
beforeAll(async () => {
  await checkSecretKeys(service.db, service.keyring);
  made = await liveAWhile(service);
  const token = Buffer.from('a time stamp \0\xff', 'latin1');
  await service.db.query(
    sql`insert into witness (batch_id, kind, proof) select min(id), 'rfc3161', ${token}::bytea from batch`,
  );
  file = join(folder, 'all.tar.gz');
  await write(file);
});

async function rowsOf(db: Db): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of await listTables(db)) {
    const lines = (all[table.name] = [] as string[]);
    for await (const some of readRows(db, table, 3)) lines.push(...some);
  }
  return all;
}

test('contains every table, or names the reason for leaving it out', async () => {
  const all = await service.db.column<string>(sql`
    select tablename::text from pg_tables where schemaname = current_schema()`);
  const listed = (await listTables(service.db)).map(({ name }) => name);
  expect([...listed, ...Object.keys(LEFT_OUT)].sort()).toEqual(all.sort());
});

test('reads one snapshot through a pooler too', async () => {
  const { url } = service.db;
  if (url === undefined) return; // PGlite
  const db = openPostgres({ url, pooler: 'transaction', poolSize: 1, statementTimeout: 0 });
  try {
    const { config, keyring } = service;
    const options = { config, keyring, relayer: undefined, publicOnly: false, progress: silent };
    const { counts } = await exportArchive(db, join(folder, 'pooled.tar.gz'), options);
    expect(counts.etches).toBe(6);
  } finally {
    await db.close();
  }
});

test('imports into an empty database with the same rows and receipts', async () => {
  const before = await rowsOf(service.db);
  await inEmpty(async (db) => {
    const imported = await load(db, file);
    expect(imported.receipts).toBe(6);
    expect(await rowsOf(db)).toEqual(before);
    expect((await fsck(db, service.keyring)).faults).toEqual([]);
    const next = sql`insert into batch (tx_id, position, kind, tree_version, root, tree_size)
      select id, 99, 0, 2, '\\x00'::bytea, 1 from anchor_tx limit 1 returning id = (select max(id) + 1 from batch)`;
    expect(await db.value(next)).toBe(true);
    expect(await db.query(sql`select 1 from account_search`)).toHaveLength(2);
    expect((await db.column<string[]>(sql`select etch_ids from search_queue`)).flat()).toHaveLength(6);
    await expect(load(db, file)).rejects.toThrow('not empty');
  });
});

once('contains receipts, trees and records as the service answers them', async () => {
  const out = join(folder, 'unpacked');
  await mkdir(out);
  await unpackTar(file, out);
  const kept = async (...path: string[]) => JSON.parse(await readFile(join(out, ...path), 'utf8'));
  for (const etch of Object.values(made.etches)) {
    const { body } = await service.get(`/api/v1/etches/${etch.id}/receipt`);
    expect(await kept('receipts', `${etch.id}.json`)).toEqual(body);
  }
  const { body } = await service.get('/api/v1/batches');
  for (const { root, kind } of body.batches) {
    const tree = await service.get(`/api/v1/batches/${root}?kind=${kind}`);
    expect(await kept('trees', `${root}-${kind}.json`)).toEqual(tree.body);
  }
  const record = await service.get(`/api/v1/users/${made.author.username}/etches`);
  const { user, counts, etches } = record.body;
  expect(await kept('records', made.author.username, '000001.json')).toEqual({ user, counts, etches });
  const { challenges } = await kept('challenges', '000001.json');
  expect(challenges).toHaveLength(1);
  const { challenge } = (await service.get(`/api/v1/challenges/${challenges[0].id}`)).body;
  const { id, code, question, category, creator_id, created_at, reveal_at } = challenge;
  const fields = { id, code, question, category_id: category.id, creator_id, created_at, reveal_at };
  expect(challenges[0]).toEqual(fields);
});

once('contains no sealed or retracted text in clear, and no tables if public', async () => {
  expect(await unzipped(file)).not.toContain(CANARY);
  const open = join(folder, 'public.tar.gz');
  const manifest = await write(open, true);
  expect(manifest).toMatchObject({ schema_version: null, tables: [], counts: { etches: 6 } });
  const names = [];
  for await (const { name } of readTar(open, () => true)) names.push(name);
  expect(names.filter((name) => name.startsWith('tables/'))).toEqual([]);
  expect(names.filter((name) => name.startsWith('receipts/'))).toHaveLength(6);
  const text = await unzipped(open);
  const created = await service.db.value(
    sql`select created_at from etch where id = ${made.etches.sealed.id}`,
  );
  for (const secret of [CANARY, created, made.author.key]) expect(text).not.toContain(secret);
  await inEmpty(async (db) => {
    await expect(load(db, open)).rejects.toThrow(/public archive/);
  });
});

once(
  'rejects an archive that was altered, truncated or encrypted with another key',
  async () => {
    const bytes = gunzipSync(await readFile(file));
    const altered = Buffer.from(bytes.toString('latin1').replaceAll('public ', 'Public '), 'latin1');
    const receiptOnly = Buffer.from(bytes);
    const at = receiptOnly.indexOf('"tree_size":5', receiptOnly.indexOf('receipts/'));
    receiptOnly.write('"tree_size":6', at);
    const faults: [string, Buffer, RegExp][] = [
      ['cut', Buffer.from(await readFile(file)).subarray(0, 3_000), /damaged|not complete/],
      ['garbage', Buffer.from('this is not gzip at all'), /damaged/],
      ['no archive', gzipSync(Buffer.alloc(1024)), /no archive/],
      ['a receipt that is not of the rows', gzipSync(receiptOnly), /differ in/],
    ];
    for (const [name, content, message] of faults) {
      const broken = join(folder, `${name}.tar.gz`);
      await writeFile(broken, content);
      await inEmpty(async (db) => {
        await expect(load(db, broken), name).rejects.toThrow(message);
        const rows = await db.query(sql`select 1 from account limit 1`).catch(() => []);
        expect(rows).toEqual([]);
      });
    }
    await inEmpty(async (db) => {
      const others = createKeyring([Buffer.alloc(32, 9)]);
      await expect(load(db, file, others)).rejects.toThrow(/SECRET_KEYS lacks a key/);
      expect(await db.query(sql`select 1 from account limit 1`)).toEqual([]);
    });
    const alteredFile = join(folder, 'altered.tar.gz');
    await writeFile(alteredFile, gzipSync(altered));
    await inEmpty(async (db) => {
      // Rows and receipts with the same change agree; only the hashes show it.
      await load(db, alteredFile);
      expect((await fsck(db, service.keyring)).faults.map(({ id }) => id)).toContain(made.etches.open.id);
    });
    await rm(alteredFile);
  },
  120_000,
);
