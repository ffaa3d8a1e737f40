import sql from 'sql-template-tag';
import type { Bucket } from '../accounts/allowance.ts';
import type { Tx } from '../db/db.ts';
import { toTime } from '../db/clock.ts';
import type { Creation } from './create.ts';

export interface NewEtch {
  id: string;
  user_id: string;
  code: string;
  mode: 'instant' | 'delayed';
  status: 'sealed' | 'revealed';
  hash: Buffer;
  description: string;
  category_id: string;
  created_at: string;
  reveal_at: string | null;
  revealed_at: string | null;
  sealed: Buffer | null;
  content: string | null;
  salt: Buffer | null;
  signature: Buffer | null;
  signature_key: string | null;
}

export interface StoredKey {
  endpoint: string;
  record_id: string;
  fingerprint: Buffer;
}

export type NewKey = StoredKey & { user_id: string; key: string };

interface BucketRow {
  user_id: string;
  tokens: number;
  updated_at: string;
}

/** The accounts' etch buckets, locked in the order of their ids until the transaction ends. */
export async function lockBuckets(
  tx: Tx,
  creations: readonly Creation[],
  now: number,
): Promise<Map<string, Bucket>> {
  const capacity = new Map(creations.map(({ caller, perDay }) => [caller.userId, perDay]));
  const users = [...capacity.keys()].sort();
  const lock = sql`
    select user_id, tokens, updated_at from allowance where kind = 'etch' and user_id = any(${users}::uuid[])
    order by user_id for update`;
  let rows = await tx.query<BucketRow>(lock);
  if (rows.length < users.length) {
    // An account's first etch: its bucket begins full.
    await tx.query(sql`
      insert into allowance (user_id, kind, tokens, updated_at)
      select u, 'etch', t, ${toTime(now)} from unnest(${users}::uuid[], ${users.map((user) => capacity.get(user)!)}::float8[]) as v (u, t)
      order by u on conflict do nothing`);
    rows = await tx.query<BucketRow>(lock);
  }
  return new Map(rows.map((row) => [row.user_id, { tokens: row.tokens, at: Date.parse(row.updated_at) }]));
}

/** What the creations' idempotency keys are bound to already. Runs after the lock, so it sees every earlier commit. */
export async function findIdempotent(
  tx: Tx,
  creations: readonly Creation[],
): Promise<Map<string, StoredKey>> {
  const asked = creations.filter((creation) => creation.idempotency);
  if (asked.length === 0) return new Map();
  const rows = await tx.query<StoredKey & { user_id: string; key: string }>(sql`
    select i.user_id, i.key, i.endpoint, i.record_id, i.fingerprint
    from unnest(${asked.map((creation) => creation.caller.userId)}::uuid[],
                ${asked.map((creation) => creation.idempotency!.key)}::text[]) as v (user_id, key)
    join idempotency i on i.user_id = v.user_id and i.key = v.key`);
  return new Map(rows.map((row) => [`${row.user_id}|${row.key}`, row]));
}

/** Etches, their anchoring jobs, idempotency keys and spent allowances in one statement. */
export async function insertEtches(
  tx: Tx,
  etches: readonly NewEtch[],
  keys: readonly NewKey[],
  buckets: ReadonlyMap<string, Bucket>,
): Promise<void> {
  const column = <Name extends keyof NewEtch>(name: Name): NewEtch[Name][] =>
    etches.map((etch) => etch[name]);
  const users = [...buckets.keys()];
  await tx.query(sql`
    with rows as (
      insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, reveal_at,
        revealed_at, sealed, content, salt, signature, signature_key)
      select * from unnest(
        ${column('id')}::uuid[], ${column('user_id')}::uuid[], ${column('code')}::text[], ${column('mode')}::text[],
        ${column('status')}::text[], ${column('hash')}::bytea[], ${column('description')}::text[],
        ${column('category_id')}::text[], ${column('created_at')}::timestamptz[], ${column('reveal_at')}::timestamptz[],
        ${column('revealed_at')}::timestamptz[], ${column('sealed')}::bytea[], ${column('content')}::text[],
        ${column('salt')}::bytea[], ${column('signature')}::bytea[], ${column('signature_key')}::text[])
    ), jobs as (
      insert into anchor_job (kind, etch_id, created_at)
      select 0, * from unnest(${column('id')}::uuid[], ${column('created_at')}::timestamptz[])
    ), bound as (
      insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
      select * from unnest(
        ${keys.map((key) => key.user_id)}::uuid[], ${keys.map((key) => key.key)}::text[],
        ${keys.map((key) => key.endpoint)}::text[], ${keys.map((key) => key.record_id)}::uuid[],
        ${keys.map((key) => key.fingerprint)}::bytea[])
    )
    update allowance a set tokens = v.tokens, updated_at = v.at
    from unnest(
      ${users}::uuid[], ${users.map((user) => buckets.get(user)!.tokens)}::float8[],
      ${users.map((user) => toTime(buckets.get(user)!.at))}::timestamptz[]) as v (user_id, tokens, at)
    where a.user_id = v.user_id and a.kind = 'etch'`);
}
