import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** A right that was taken back before its time: enough to take it back again, and nothing to use it by. */
export interface Revocation {
  kind: 'api_key' | 'session';
  /** SHA-256 of the key's value, or of the cookie's; hex */
  hash: string;
  /** API time */
  revoked_at: string;
}

/** Where a page of the ledger ends. */
export interface RevocationPlace {
  writtenAt: string;
  kind: string;
  hash: string;
}

/** The end of a statement that takes back what `rows` of kind, hash and time name. */
export function noteRevoked(rows: Sql): Sql {
  return sql`insert into revocation (kind, hash, revoked_at) ${rows} on conflict do nothing`;
}

/** Also of keys and sessions that this database does not have. */
export async function insertRevocations(db: Queryable, revocations: readonly Revocation[]): Promise<void> {
  await db.query(
    noteRevoked(sql`
      select kind, decode(hash, 'hex'), revoked_at
      from unnest(${revocations.map((one) => one.kind)}::text[], ${revocations.map((one) => one.hash)}::text[],
        ${revocations.map((one) => one.revoked_at)}::timestamptz[]) as r (kind, hash, revoked_at)`),
  );
}

/** In the order in which they were written down. */
export async function listRevocations(
  db: Queryable,
  after: RevocationPlace | { since: string },
  limit: number,
): Promise<(Revocation & { place: RevocationPlace })[]> {
  const where =
    'since' in after
      ? sql`written_at >= ${after.since}::timestamptz`
      : sql`(written_at, kind, hash) > (${after.writtenAt}::timestamptz, ${after.kind}::text, decode(${after.hash}, 'hex'))`;
  const rows = await db.query<Revocation & { written_at: string }>(sql`
    select kind, encode(hash, 'hex') as hash, revoked_at, written_at from revocation
    where ${where} order by written_at, kind, hash limit ${limit}`);
  return rows.map(({ written_at: writtenAt, ...revocation }) => {
    const { kind, hash } = revocation;
    return { ...revocation, place: { writtenAt, kind, hash } };
  });
}

/** Sessions that were ended so long ago that they would be over anyhow. */
export async function forgetEndedSessions(db: Queryable, before: string): Promise<void> {
  await db.query(sql`delete from revocation where kind = 'session' and revoked_at < ${before}`);
}
