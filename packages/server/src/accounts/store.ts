import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';
import { refusePosing } from './username.ts';
import type { AccountKind, Scope } from '../identity/caller.ts';
import { insertRevocations } from '../identity/revocation-store.ts';
import { indexAccounts } from '../search-index/names-store.ts';

export interface AccountRow {
  id: string;
  kind: AccountKind;
  username: string;
  display_name: string;
  created_at: string;
  public_key: string | null;
  agent_url: string | null;
  agent_domain: string | null;
  agent_domain_checked_at: string | null;
  operator_id: string | null;
  social_handle: string | null;
  social_verified_at: string | null;
}

export interface KeyRow {
  id: string;
  user_id: string;
  name: string;
  scope: Scope;
  prefix: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export const ACCOUNT = sql`id, kind, username, display_name, created_at, public_key, agent_url, agent_domain,
  agent_domain_checked_at, operator_id, social_handle, social_verified_at`;
const KEY = sql`id, user_id, name, scope, prefix, created_at, last_used_at, revoked_at`;

export async function findAccount(db: Queryable, id: string): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>(sql`select ${ACCOUNT} from account where id = ${id}`);
  return row;
}

/** Serializes transactions that count. Inserts that only reference the account do not wait. */
export async function lockAccount(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`select 1 from account where id = ${id} for no key update`);
}

export async function findAccountByPublicKey(
  db: Queryable,
  publicKey: string,
): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>(
    sql`select ${ACCOUNT} from account where public_key = ${publicKey}`,
  );
  return row;
}

export async function insertAgent(
  tx: Tx,
  agent: Pick<AccountRow, 'id' | 'username' | 'display_name' | 'created_at' | 'agent_url'> & {
    public_key: string;
  },
): Promise<void> {
  await tx.query(sql`
    insert into account (id, kind, username, display_name, created_at, public_key, agent_url)
    values (${agent.id}, 'agent', ${agent.username}, ${agent.display_name}, ${agent.created_at}, ${agent.public_key},
            ${agent.agent_url})`);
  await indexAccounts(tx, [agent.id]);
}

export async function renameAccount(
  db: Queryable,
  id: string,
  displayName: string,
): Promise<AccountRow | undefined> {
  refusePosing(displayName);
  const [row] = await db.query<AccountRow>(
    sql`update account set display_name = ${displayName} where id = ${id} returning ${ACCOUNT}`,
  );
  await indexAccounts(db, [id]);
  return row;
}

export async function isUsernameTaken(db: Queryable, username: string): Promise<boolean> {
  return (await db.query(sql`select 1 from account where username = ${username}`)).length > 0;
}

export async function insertKey(
  db: Queryable,
  key: Omit<KeyRow, 'last_used_at' | 'revoked_at'> & { hash: Buffer },
): Promise<void> {
  await db.query(sql`
    insert into api_key (id, user_id, name, scope, prefix, hash, created_at)
    values (${key.id}, ${key.user_id}, ${key.name}, ${key.scope}, ${key.prefix}, ${key.hash}, ${key.created_at})`);
}

export async function countKeys(db: Queryable, userId: string): Promise<{ active: number; all: number }> {
  const [row] = await db.query<{ active: number; all_of_them: number }>(sql`
    select count(*) filter (where revoked_at is null) as active, count(*) as all_of_them
    from api_key where user_id = ${userId}`);
  return { active: Number(row!.active), all: Number(row!.all_of_them) };
}

export async function listKeys(db: Queryable, userId: string): Promise<KeyRow[]> {
  return db.query<KeyRow>(
    sql`select ${KEY} from api_key where user_id = ${userId} order by created_at desc, id`,
  );
}

/** Records the revocation for the ledger. @returns undefined without an active key */
export async function revokeKey(
  tx: Tx,
  userId: string,
  keyId: string,
  at: string,
): Promise<KeyRow | undefined> {
  const [row] = await tx.query<KeyRow & { hash: Buffer }>(sql`
    update api_key set revoked_at = ${at} where id = ${keyId} and user_id = ${userId} and revoked_at is null
    returning ${KEY}, hash`);
  if (!row) return undefined;
  const { hash, ...key } = row;
  await insertRevocations(tx, [{ kind: 'api_key', hash: hash.toString('hex'), revoked_at: at }]);
  return key;
}

export async function revokeAllKeys(tx: Tx, userId: string, at: string): Promise<number> {
  const rows = await tx.query<{ hash: Buffer }>(sql`
    update api_key set revoked_at = ${at} where user_id = ${userId} and revoked_at is null returning hash`);
  await insertRevocations(
    tx,
    rows.map(({ hash }) => ({ kind: 'api_key', hash: hash.toString('hex'), revoked_at: at })),
  );
  return rows.length;
}

export async function revokeKeysAgain(
  tx: Tx,
  keys: readonly { hash: string; revoked_at: string }[],
): Promise<number> {
  const rows = await tx.query(sql`
    update api_key k set revoked_at = v.at
    from unnest(${keys.map(({ hash }) => hash)}::text[], ${keys.map((key) => key.revoked_at)}::timestamptz[]) as v (hash, at)
    where k.hash = decode(v.hash, 'hex') and k.revoked_at is null returning 1`);
  return rows.length;
}

/** Finds revoked keys without a record. Scans all keys. */
export async function listMissedKeys(db: Queryable): Promise<{ hash: string; revoked_at: string }[]> {
  return db.query(sql`
    select encode(k.hash, 'hex') as hash, k.revoked_at from api_key k
    where k.revoked_at is not null
      and not exists (select 1 from revocation r where r.kind = 'api_key' and r.hash = k.hash)`);
}

export async function touchKeys(
  db: Queryable,
  uses: readonly { keyId: string; at: string }[],
): Promise<void> {
  await db.query(sql`
    update api_key k set last_used_at = u.at
    from unnest(${uses.map((use) => use.keyId)}::uuid[], ${uses.map((use) => use.at)}::timestamptz[]) as u (id, at)
    where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`);
}

export async function useSignature(db: Queryable, digest: Buffer, at: string): Promise<boolean> {
  const rows = await db.query(sql`
    insert into used_signature (digest, used_at) values (${digest}, ${at}) on conflict do nothing returning digest`);
  return rows.length > 0;
}

export async function forgetSignatures(db: Queryable, before: string): Promise<void> {
  await db.query(sql`delete from used_signature where used_at < ${before}`);
}

export async function readBucket(
  db: Queryable,
  userId: string,
  kind: 'etch' | 'challenge',
): Promise<{ spent: number; at: number } | undefined> {
  const [row] = await db.query<{ spent: number; updated_at: string }>(
    sql`select spent, updated_at from allowance where user_id = ${userId} and kind = ${kind}`,
  );
  return row && { spent: row.spent, at: Date.parse(row.updated_at) };
}

export const ACCOUNT_REASONS = ['spam', 'abuse', 'illegal', 'court_order', 'compromised'] as const;
export type AccountReason = (typeof ACCOUNT_REASONS)[number];

export interface OperatorStanding {
  id: string;
  suspended_for: AccountReason | null;
  hidden_for: AccountReason | null;
}

export async function lockNamed(tx: Tx, username: string): Promise<OperatorStanding | undefined> {
  const [row] = await tx.query<OperatorStanding>(
    sql`select id, suspended_for, hidden_for from account where username = ${username} for no key update`,
  );
  return row;
}

export async function writeSuspended(tx: Tx, userId: string, reason: AccountReason | null): Promise<void> {
  await tx.query(sql`update account set suspended_for = ${reason} where id = ${userId}`);
}

export async function writeHidden(tx: Tx, userId: string, reason: AccountReason | null): Promise<void> {
  await tx.query(sql`update account set hidden_for = ${reason} where id = ${userId}`);
}
