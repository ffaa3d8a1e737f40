import sql, { empty, type Sql } from 'sql-template-tag';
import type { Bucket } from '../accounts/allowance-store.ts';
import type { BoundKey } from '../accounts/idempotency-store.ts';
import type { EtchRow } from '../etches/row.ts';
import type { AuthorColumns } from '../identity/caller.ts';
import { toTime } from '../db/clock.ts';
import type { Tx } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import type { NewChallenge } from '../challenges/store.ts';

export const CODES = 'etch_code_key';

export type NewEtch = Omit<
  EtchRow,
  keyof AuthorColumns | 'retracted_at' | 'taken_down' | 'commitment' | 'tombstone' | 'failing_since'
>;

export async function insertEtches(
  tx: Tx,
  etches: readonly NewEtch[],
  keys: readonly BoundKey[],
  buckets: ReadonlyMap<string, Bucket>,
): Promise<void> {
  const column = <Name extends keyof NewEtch>(name: Name): NewEtch[Name][] =>
    etches.map((etch) => etch[name]);
  const users = [...buckets.keys()];
  const statement = sql`
    with rows as (
      insert into etch (id, user_id, code, mode, status, hash, description, category_id, challenge_id, created_at,
        reveal_at, revealed_at, sealed, content, salt, signature, signature_key)
      select * from unnest(
        ${column('id')}::uuid[], ${column('user_id')}::uuid[], ${column('code')}::text[], ${column('mode')}::text[],
        ${column('status')}::text[], ${column('hash')}::bytea[], ${column('description')}::text[],
        ${column('category_id')}::text[], ${column('challenge_id')}::uuid[], ${column('created_at')}::timestamptz[], ${column('reveal_at')}::timestamptz[],
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
    ), queued as (
      insert into search_queue (etch_ids) values (${column('id')}::uuid[])
    )${counted(etches)}
    update allowance a set spent = v.spent, updated_at = v.at
    from unnest(
      ${users}::uuid[], ${users.map((user) => buckets.get(user)!.spent)}::float8[],
      ${users.map((user) => toTime(buckets.get(user)!.at))}::timestamptz[]) as v (user_id, spent, at)
    where a.user_id = v.user_id and a.user_id = any(${users}::uuid[]) and a.kind = 'etch'`;
  await tx.last(prepared(statement));
}

/** A different transaction may take a code first; then the insert fails. */
export async function findFreeCodes(tx: Tx, count: number, draw: () => string): Promise<string[]> {
  const free = new Set<string>();
  while (free.size < count) {
    const drawn = Array.from({ length: count - free.size }, draw);
    const rows = await tx.query<{ code: string }>(
      prepared(sql`
        select code from unnest(${drawn}::text[]) as d (code) where not exists (select from etch e where e.code = d.code)`),
    );
    for (const { code } of rows) free.add(code);
  }
  return [...free];
}

/** Locks rows of busy challenges last and by id, and updates each once. */
function counted(etches: readonly NewEtch[]): Sql {
  const counts = new Map<string, number>();
  for (const { challenge_id: id } of etches) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  if (counts.size === 0) return empty;
  const ids = [...counts.keys()];
  return sql`, locked as (
      select id from challenge_tally where id = any(${ids}::uuid[]) order by id for no key update
    ), counted as (
      update challenge_tally t set etch_count = t.etch_count + v.entries
      from locked join unnest(${ids}::uuid[], ${[...counts.values()]}::integer[]) as v (id, entries) on v.id = locked.id
      where t.id = locked.id
    )`;
}

export async function insertChallenge(tx: Tx, challenge: NewChallenge): Promise<void> {
  const { id, code, question, category_id, creator_id, created_at, reveal_at } = challenge;
  await tx.query(sql`
    insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
    values (${id}, ${code}, ${question}, ${category_id}, ${creator_id}, ${created_at}, ${reveal_at})`);
  await tx.query(sql`
    insert into challenge_tally (id, category_id, created_at, reveal_at)
    values (${id}, ${category_id}, ${created_at}, ${reveal_at})`);
}
