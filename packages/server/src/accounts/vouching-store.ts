import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

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
