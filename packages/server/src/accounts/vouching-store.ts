import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { ACCOUNT, type AccountRow } from './store.ts';

export const setDomain = (
  db: Queryable,
  agentId: string,
  domain: { name: string; checkedAt: string; nextAt: string } | null,
) =>
  db.query(sql`
    update account set agent_domain = ${domain?.name ?? null}, agent_domain_failures = 0,
      agent_domain_checked_at = ${domain?.checkedAt ?? null}, agent_domain_next_at = ${domain?.nextAt ?? null}
    where id = ${agentId}`);

/** This process may check the domain until `until`. */
export interface DueDomain {
  id: string;
  domain: string;
  public_key: string;
  failures: number;
  until: string;
}

export const claimDueDomains = (db: Queryable, most: number, now: string, until: string) =>
  db.query<DueDomain>(sql`
    update account set agent_domain_next_at = ${until} where id in (
      select id from account
      where agent_domain is not null and coalesce(agent_domain_next_at, '-infinity') <= ${now}
      order by agent_domain_next_at nulls first limit ${most} for no key update skip locked)
    returning id, agent_domain as domain, public_key, agent_domain_failures as failures, ${until}::text as until`);

/** @returns false when the agent changed its domain during the check */
export async function writeDomainCheck(
  db: Queryable,
  { id, domain, until }: DueDomain,
  found: { checkedAt?: string; nextAt: string; failures: number } | 'ended',
): Promise<boolean> {
  const change =
    found === 'ended'
      ? sql`agent_domain = null, agent_domain_checked_at = null, agent_domain_next_at = null, agent_domain_failures = 0`
      : sql`agent_domain_next_at = ${found.nextAt}, agent_domain_failures = ${found.failures},
            agent_domain_checked_at = coalesce(${found.checkedAt ?? null}::timestamptz, agent_domain_checked_at)`;
  return db.hasRows(sql`
    update account set ${change}
    where id = ${id} and agent_domain = ${domain} and agent_domain_next_at = ${until} returning id`);
}

/** @returns false when the operator was not `from` */
export const setOperator = (db: Queryable, agentId: string, from: string | null, to: string | null) =>
  db.hasRows(sql`
    update account set operator_id = ${to}::uuid
    where id = ${agentId} and operator_id is not distinct from ${from}::uuid returning id`);

export const listOperated = (db: Queryable, userId: string) =>
  db.query<AccountRow>(
    sql`select ${ACCOUNT} from account where operator_id = ${userId} order by created_at, id`,
  );
