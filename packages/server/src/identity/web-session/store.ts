import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import type { AccountColumns } from '../caller.ts';
import { insertRevocations, noteRevoked } from '../revocation-store.ts';

export interface SessionRow extends AccountColumns {
  tokens: Buffer;
  used_at: string;
}

export interface Since {
  used: string;
  begun: string;
}

export const insertSession = (
  db: Queryable,
  session: { hash: Buffer; userId: string; tokens: Buffer; at: string },
) =>
  db.query(sql`
    insert into web_session (hash, user_id, tokens, created_at, used_at)
    values (${session.hash}, ${session.userId}, ${session.tokens}, ${session.at}, ${session.at})`);

export const findSession = (db: Queryable, hash: Buffer, since: Since) =>
  db.first<SessionRow>(sql`
    select s.tokens, s.used_at, a.id as user_id, a.username, a.display_name, a.kind, a.agent_domain, a.operator_id,
           a.social_handle, a.social_verified_at, a.suspended_for
    from web_session s join account a on a.id = s.user_id
    where s.hash = ${hash} and s.ended_at is null and s.used_at > ${since.used} and s.created_at > ${since.begun}`);

export const touchSession = (db: Queryable, hash: Buffer, at: string) =>
  db.query(sql`update web_session set used_at = ${at} where hash = ${hash} and used_at < ${at}`);

/** Returns false if the tokens changed, a different process renews, or the session is over. */
export const claimRefresh = (
  db: Queryable,
  { hash, tokens, now, until }: { hash: Buffer; tokens: Buffer; now: string; until: string },
) =>
  db.hasRows(sql`
    update web_session set refreshing_until = ${until}
    where hash = ${hash} and tokens = ${tokens} and ended_at is null
      and (refreshing_until is null or refreshing_until <= ${now})
    returning hash`);

export const writeTokens = (db: Queryable, hash: Buffer, tokens: Buffer) =>
  db.query(sql`
    update web_session set tokens = ${tokens}, refreshing_until = null where hash = ${hash}`);

/** Records the revocation in the same statement, so that a backup does not restore the session. */
export const deleteSession = (db: Queryable, hash: Buffer, at: string) =>
  db.query(sql`
    with ended as (delete from web_session where hash = ${hash} and ended_at is null returning hash)
    ${noteRevoked(sql`select 'session', hash, ${at}::timestamptz from ended`)}`);

export const endSession = (
  db: Queryable,
  ended: { hash: Buffer; newHash: Buffer; tokens: Buffer; at: string },
) =>
  db.query(sql`
    with ended as (
      update web_session set hash = ${ended.newHash}, tokens = ${ended.tokens}, ended_at = ${ended.at}
      where hash = ${ended.hash} and ended_at is null returning 1)
    ${noteRevoked(sql`select 'session', ${ended.hash}::bytea, ${ended.at}::timestamptz from ended`)}`);

export async function endAllSessions(db: Queryable, userId: string, at: string): Promise<number> {
  const rows = await db.query<{ hash: Buffer }>(
    sql`delete from web_session where user_id = ${userId} and ended_at is null returning hash`,
  );
  await insertRevocations(
    db,
    rows.map(({ hash }) => ({ kind: 'session', hash: hash.toString('hex'), revoked_at: at })),
  );
  return rows.length;
}

export async function deleteSessions(db: Queryable, hashes: readonly Buffer[]): Promise<number> {
  return (
    await db.query(
      sql`delete from web_session where hash = any(${hashes}::bytea[]) and ended_at is null returning 1`,
    )
  ).length;
}

export const takeEnded = (db: Queryable, hash: Buffer, since: string) =>
  db.value<Buffer | undefined>(sql`
    delete from web_session where hash = ${hash} and ended_at > ${since} returning tokens`);

export const forgetSessions = (db: Queryable, since: Since, endedSince: string) =>
  db.query(sql`
    delete from web_session
    where used_at <= ${since.used} or created_at <= ${since.begun} or ended_at <= ${endedSince}`);
