// Codes and tokens of the embedded issuer, by their hash. Each refresh token works once.
import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';

interface GrantRow {
  hash: Buffer;
  grantHash: Buffer;
  payload: Buffer;
  expiresAt: string;
}

export const saveGrant = (db: Queryable, { hash, grantHash, payload, expiresAt }: GrantRow) =>
  db.query(sql`
    insert into issuer_grant (hash, grant_hash, payload, expires_at)
    values (${hash}, ${grantHash}, ${payload}, ${expiresAt})
    on conflict (hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`);

export const findGrant = (db: Queryable, hash: Buffer) =>
  db.first<{ payload: Buffer; used_at: string | null }>(
    sql`select payload, used_at from issuer_grant where hash = ${hash}`,
  );

export const hasGrant = (db: Queryable, hash: Buffer): Promise<boolean> =>
  db.hasRows(sql`select 1 from issuer_grant where hash = ${hash}`);

/** Returns false if the token is used already. */
export const markUsed = (db: Queryable, hash: Buffer, at: string): Promise<boolean> =>
  db.hasRows(
    sql`update issuer_grant set used_at = ${at} where hash = ${hash} and used_at is null returning 1`,
  );

export const deleteGrant = (db: Queryable, hash: Buffer) =>
  db.query(sql`delete from issuer_grant where hash = ${hash}`);

export const deleteGrantAndTokens = (db: Queryable, grantHash: Buffer) =>
  db.query(sql`delete from issuer_grant where grant_hash = ${grantHash}`);

export const forgetGrants = (db: Queryable, before: string) =>
  db.query(sql`delete from issuer_grant where expires_at < ${before}`);
