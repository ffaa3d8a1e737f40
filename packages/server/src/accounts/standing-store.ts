import sql from 'sql-template-tag';
import type { Tx } from '../db/db.ts';

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
