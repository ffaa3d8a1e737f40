import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { ACCOUNT, type AccountRow } from './store.ts';

export async function setDomain(db: Queryable, agentId: string, domain: string | null): Promise<void> {
  await db.query(sql`update account set agent_domain = ${domain} where id = ${agentId}`);
}

/** Changes the operator from one to another; false when it was not `from`. */
export async function setOperator(
  db: Queryable,
  agentId: string,
  from: string | null,
  to: string | null,
): Promise<boolean> {
  const rows = await db.query(sql`
    update account set operator_id = ${to}::uuid
    where id = ${agentId} and operator_id is not distinct from ${from}::uuid returning id`);
  return rows.length > 0;
}

/** The agents that a person stands for. */
export async function listOperated(db: Queryable, userId: string): Promise<AccountRow[]> {
  return db.query<AccountRow>(
    sql`select ${ACCOUNT} from account where operator_id = ${userId} order by created_at, id`,
  );
}
