// Rows of accounts, and what an operator decides about them.
import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';
import type { AuthorColumns } from '../identity/caller.ts';
import { indexAccounts } from '../search-index/names-store.ts';
import { refuseImpersonation } from './username.ts';

export interface AccountRow extends AuthorColumns {
  id: string;
  created_at: string;
  public_key: string | null;
  agent_url: string | null;
  agent_domain_checked_at: string | null;
}

/** In the order of the public record, which shows the rest of the row as it is. */
export const ACCOUNT = sql`id, username, display_name, social_handle, social_verified_at, created_at, kind, public_key, agent_url,
  agent_domain, agent_domain_checked_at, operator_id`;

export const findAccount = (db: Queryable, id: string) =>
  db.first<AccountRow>(sql`select ${ACCOUNT} from account where id = ${id}`);

/** Serializes transactions that count. Inserts that only reference the account do not wait. */
export const lockAccount = (tx: Tx, id: string) =>
  tx.query(sql`select 1 from account where id = ${id} for no key update`);

export async function renameAccount(db: Queryable, id: string, displayName: string) {
  refuseImpersonation(displayName);
  const [row] = await db.query<AccountRow>(
    sql`update account set display_name = ${displayName} where id = ${id} returning ${ACCOUNT}`,
  );
  await indexAccounts(db, [id]);
  return row;
}

export const ACCOUNT_REASONS = ['spam', 'abuse', 'illegal', 'court_order', 'compromised'] as const;
export type AccountReason = (typeof ACCOUNT_REASONS)[number];

export interface OperatorDecision {
  id: string;
  suspended_for: AccountReason | null;
  hidden_for: AccountReason | null;
}

export const lockStanding = (tx: Tx, username: string) =>
  tx.first<OperatorDecision>(
    sql`select id, suspended_for, hidden_for from account where username = ${username} for no key update`,
  );

export const writeStanding = (tx: Tx, { id, suspended_for, hidden_for }: OperatorDecision) =>
  tx.query(
    sql`update account set suspended_for = ${suspended_for}, hidden_for = ${hidden_for} where id = ${id}`,
  );
