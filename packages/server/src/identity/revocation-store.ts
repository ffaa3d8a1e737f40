import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** The hash is useless for signing in. */
export interface Revocation {
  kind: 'api_key' | 'session';
  hash: string;
  revoked_at: string;
}

export interface RevocationPlace {
  writtenAt: string;
  kind: string;
  hash: string;
}

export const noteRevoked = (rows: Sql): Sql =>
  sql`insert into revocation (kind, hash, revoked_at) ${rows} on conflict do nothing`;

export const insertRevocations = (db: Queryable, revocations: readonly Revocation[]) =>
  db.query(
    noteRevoked(sql`
      select kind, decode(hash, 'hex'), revoked_at
      from unnest(${revocations.map((one) => one.kind)}::text[], ${revocations.map((one) => one.hash)}::text[],
        ${revocations.map((one) => one.revoked_at)}::timestamptz[]) as r (kind, hash, revoked_at)`),
  );

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

/** Deletes revocations of sessions that would have expired by now. */
export const forgetEndedSessions = (db: Queryable, before: string) =>
  db.query(sql`delete from revocation where kind = 'session' and revoked_at < ${before}`);
