import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';
import { refusePosing } from './username.ts';
import type { AuthorColumns, Scope } from '../identity/caller.ts';
import { insertRevocations } from '../identity/revocation-store.ts';
import { indexAccounts } from '../search-index/names-store.ts';

export interface AccountRow extends AuthorColumns {
  id: string;
  created_at: string;
  public_key: string | null;
  agent_url: string | null;
  agent_domain_checked_at: string | null;
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

export const findAccount = (db: Queryable, id: string) =>
  db.first<AccountRow>(sql`select ${ACCOUNT} from account where id = ${id}`);

/** Serializes transactions that count. Inserts that only reference the account do not wait. */
export const lockAccount = (tx: Tx, id: string) =>
  tx.query(sql`select 1 from account where id = ${id} for no key update`);

export const findAccountByPublicKey = (db: Queryable, publicKey: string) =>
  db.first<AccountRow>(sql`select ${ACCOUNT} from account where public_key = ${publicKey}`);

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

export async function renameAccount(db: Queryable, id: string, displayName: string) {
  refusePosing(displayName);
  const [row] = await db.query<AccountRow>(
    sql`update account set display_name = ${displayName} where id = ${id} returning ${ACCOUNT}`,
  );
  await indexAccounts(db, [id]);
  return row;
}

export const isUsernameTaken = (db: Queryable, username: string) =>
  db.hasRows(sql`select 1 from account where username = ${username}`);

export const insertKey = (
  db: Queryable,
  key: Omit<KeyRow, 'last_used_at' | 'revoked_at'> & { hash: Buffer },
) =>
  db.query(sql`
    insert into api_key (id, user_id, name, scope, prefix, hash, created_at)
    values (${key.id}, ${key.user_id}, ${key.name}, ${key.scope}, ${key.prefix}, ${key.hash}, ${key.created_at})`);

export async function countKeys(db: Queryable, userId: string): Promise<{ active: number; all: number }> {
  const [row] = await db.query<{ active: number; all_of_them: number }>(sql`
    select count(*) filter (where revoked_at is null) as active, count(*) as all_of_them
    from api_key where user_id = ${userId}`);
  return { active: Number(row!.active), all: Number(row!.all_of_them) };
}

export const listKeys = (db: Queryable, userId: string) =>
  db.query<KeyRow>(sql`select ${KEY} from api_key where user_id = ${userId} order by created_at desc, id`);

/** Records the revocation for the ledger. @returns undefined without an active key */
export async function revokeKey(tx: Tx, userId: string, keyId: string, at: string) {
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

export const revokeKeysAgain = (tx: Tx, keys: readonly { hash: string; revoked_at: string }[]) =>
  tx.countRows(sql`
    update api_key k set revoked_at = v.at
    from unnest(${keys.map(({ hash }) => hash)}::text[], ${keys.map((key) => key.revoked_at)}::timestamptz[]) as v (hash, at)
    where k.hash = decode(v.hash, 'hex') and k.revoked_at is null returning 1`);

/** Finds revoked keys without a record. Scans all keys. */
export const listMissedKeys = (db: Queryable) =>
  db.query<{ hash: string; revoked_at: string }>(sql`
    select encode(k.hash, 'hex') as hash, k.revoked_at from api_key k
    where k.revoked_at is not null
      and not exists (select 1 from revocation r where r.kind = 'api_key' and r.hash = k.hash)`);

export const touchKeys = (db: Queryable, uses: readonly { keyId: string; at: string }[]) =>
  db.query(sql`
    update api_key k set last_used_at = u.at
    from unnest(${uses.map((use) => use.keyId)}::uuid[], ${uses.map((use) => use.at)}::timestamptz[]) as u (id, at)
    where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`);

export const useSignature = (db: Queryable, digest: Buffer, at: string) =>
  db.hasRows(sql`
    insert into used_signature (digest, used_at) values (${digest}, ${at}) on conflict do nothing returning digest`);

export const forgetSignatures = (db: Queryable, before: string) =>
  db.query(sql`delete from used_signature where used_at < ${before}`);

export async function readBucket(db: Queryable, userId: string, kind: 'etch' | 'challenge') {
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

export const lockStanding = (tx: Tx, username: string) =>
  tx.first<OperatorStanding>(
    sql`select id, suspended_for, hidden_for from account where username = ${username} for no key update`,
  );

export const writeStanding = (tx: Tx, { id, suspended_for, hidden_for }: OperatorStanding) =>
  tx.query(
    sql`update account set suspended_for = ${suspended_for}, hidden_for = ${hidden_for} where id = ${id}`,
  );
