// Rows of the index: one for each account, and how much of the log they cover.
import { readIndexData } from '@svc/protocol/account-index';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Queryable, Tx } from '../../db/db.ts';
import type { IndexRecord } from './index-records.ts';

export interface AccountRow {
  key: Buffer;
  /** 32 hex digits or a uuid */
  userId: string;
  count: number;
  /** roots of the perfect subtrees, largest first */
  peaks: Buffer;
  /** The row is that of every index that covers at least this many entries of the log. */
  since: number;
}

export interface IndexState {
  /** The rows include all trees of the log below it. */
  covered: number;
  /** changes when all rows are computed again */
  generation: number;
}

export const readState = (db: Queryable) =>
  db.one<IndexState>(sql`select covered, generation from account_index_state`);

/** @returns false if another process moved it */
export const moveCovered = (tx: Tx, { covered, generation }: IndexState, to: number) =>
  tx.hasRows(sql`
    update account_index_state set covered = ${to}
    where covered = ${covered} and generation = ${generation} returning 1`);

/** Why no index entry is appended; null: they are. */
export const heldIndex = (db: Queryable) =>
  db.value<string | null>(sql`select held from account_index_state`);

export const holdIndex = (db: Queryable, held: string | null) =>
  db.query(sql`update account_index_state set held = ${held} where held is distinct from ${held}`);

/** Trees from this log index on changed, so that all rows are computed again. */
export async function resetIndex(tx: Tx, index: number): Promise<void> {
  const isReset = await tx.hasRows(sql`
    update account_index_state set covered = 0, generation = generation + 1, held = null
    where covered > ${index} returning 1`);
  if (isReset) await tx.query(sql`delete from account_index`);
}

const ROW = sql`select key, user_id as "userId", count, peaks, since from account_index`;

export const findAccounts = (db: Queryable, keys: readonly Uint8Array[]) =>
  db.query<AccountRow>(sql`${ROW} where key = any(${keys}::bytea[])`);

/** By key, after this one. */
export const listAccounts = (db: Queryable, after: Buffer, limit: number) =>
  db.query<AccountRow>(sql`${ROW} where key > ${after} order by key limit ${limit}`);

export const storeAccounts = (tx: Tx, rows: readonly AccountRow[]) =>
  tx.query(sql`
    insert into account_index (key, user_id, count, peaks, since)
    select * from unnest(${rows.map(({ key }) => key)}::bytea[], ${rows.map(({ userId }) => userId)}::uuid[],
      ${rows.map(({ count }) => count)}::bigint[], ${rows.map(({ peaks }) => peaks)}::bytea[],
      ${rows.map(({ since }) => since)}::bigint[])
    on conflict (key) do update set count = excluded.count, peaks = excluded.peaks, since = excluded.since`);

export interface LogEntry {
  index: number;
  data: Buffer;
}

const IS_INDEX = sql`get_byte(data, 63) = 2`;

/** The newest index entry of the log below this size. */
export const lastIndexEntry = (db: Queryable, size?: number) =>
  db.first<LogEntry>(sql`
    select index, data from log_entry where ${IS_INDEX} ${size === undefined ? empty : sql`and index < ${size}`}
    order by index desc limit 1`);

/**
 * Returns the records of the trees in this part of the log, from the first tree with an index entry. It omits trees
 * that may still get an index entry.
 */
export const recordsOf = (db: Queryable, from: number, to: number) =>
  db.query<IndexRecord>(sql`
    select t.index + 1 as covered, substring(i.data for 32) as root, substring(t.data for 32) as tree
    from log_entry t left join log_entry i on i.index = t.index + 1 and get_byte(i.data, 63) = 2
    where t.index >= ${from} and t.index < ${to} and get_byte(t.data, 63) < 2
      and t.index >= (select min(index) - 1 from log_entry where ${IS_INDEX})
      and (i.index is not null or t.index < (select max(size) from log_checkpoint))
    order by t.index`);

export const entriesFrom = (db: Queryable, from: number, limit: number) =>
  db.query<LogEntry>(
    sql`select index, data from log_entry where index >= ${from} order by index limit ${limit}`,
  );

export const isEntryAt = (db: Queryable, { index, data }: LogEntry) =>
  db.hasRows(sql`select 1 from log_entry where index = ${index} and data = ${data}`);

/** The entry is a tree that no checkpoint has, and no index entry is behind it. */
export async function isOpenAt(db: Queryable, entry: LogEntry): Promise<boolean> {
  const [same, next] = await entriesFrom(db, entry.index, 2);
  const isSame = same?.index === entry.index && same.data.equals(entry.data);
  const isTree = [same, next].every((one) => one === undefined || readIndexData(one.data) === null);
  return isSame && isTree && entry.index >= (await signedSize(db));
}

/**
 * This database staged the tree, and did not adopt it from the chain. A tree that an earlier life of the database
 * published was final, and so its block is more than a minute older than its adoption.
 */
export const isStagedHere = (db: Queryable, index: number) =>
  db.hasRows(sql`
    select 1 from log_entry e left join batch b on b.id = e.batch_id left join anchor_tx t on t.id = b.tx_id
    where e.index = ${index} and (e.given_up or b.id is not null and (t.id is null
      or t.state in ('STAGED', 'SIGNED') or t.block_time > t.staged_at - interval '1 minute'))`);

/** All entries below this size are in a checkpoint and stay. */
export const signedSize = (db: Queryable) =>
  db.value<number>(sql`select coalesce(max(size), 0) as size from log_checkpoint`);

const LEAF = sql`uuid_send(e.user_id) || e.hash`;

/** The leaves of a tree of version 2, in their order. */
export const packedLeaves = (batch: Sql): Sql => sql`(
  select string_agg(${LEAF}, ''::bytea order by sha256('\\x00'::bytea || ${LEAF}))
  from batch_leaf l join etch e on e.id = l.etch_id where l.batch_id = ${batch})`;

/** Null for other entries, and if this database does not have the leaves. */
export const leavesAt = (db: Queryable, index: number) =>
  db.value<Buffer | null>(sql`
    select case when get_byte(t.data, 63) < 2 and get_byte(t.data, 95) = 2
      then coalesce(t.leaves, ${packedLeaves(sql`t.batch_id`)}) end as leaves
    from log_entry t where t.index = ${index}`);

/**
 * Returns the log index at which the rows end for good: a tree of version 2 without a batch and without leaves, or a
 * wrong index entry. Returns null if the rows continue.
 */
export const indexEnd = (db: Queryable) =>
  db.value<number | null>(sql`
    select max(s.covered) as covered from account_index_state s join log_entry e on e.index = s.covered
    where (get_byte(data, 63) = 2 and s.held is not null)
      or (batch_id is null and leaves is null and get_byte(data, 63) < 2 and get_byte(data, 95) = 2)`);

/** The packed entries of an account in trees below this log index (docs/protocol.md#418-the-index-of-accounts). */
export async function entriesOf(db: Queryable, userId: string, below: number): Promise<Buffer> {
  const bytes = await db.value<Buffer | null>(sql`
    with given_up as materialized (
      select index, get_byte(data, 63) as kind, leaves from log_entry
      where leaves is not null and index < ${below} and position(uuid_send(${userId}::uuid) in leaves) > 0)
    select string_agg(int8send(index) || set_byte('\\x00'::bytea, 0, kind) || hash, ''::bytea
      order by index, sha256('\\x00'::bytea || uuid_send(${userId}::uuid) || hash)) as entries
    from (
      select t.index, l.kind::integer as kind, e.hash from etch e join batch_leaf l on l.etch_id = e.id
        join batch b on b.id = l.batch_id join log_entry t on t.batch_id = l.batch_id
        where e.user_id = ${userId} and b.tree_version = 2 and t.index < ${below}
      union all
      select index, kind, substring(leaves from n * 48 + 17 for 32) from given_up,
        generate_series(0, octet_length(leaves) / 48 - 1) as n
        where substring(leaves from n * 48 + 1 for 16) = uuid_send(${userId}::uuid)
    ) as entry`);
  return bytes ?? Buffer.alloc(0);
}
