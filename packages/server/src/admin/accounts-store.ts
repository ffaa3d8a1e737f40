import sql, { empty } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

export interface AccountOverview {
  username: string;
  user_id: string;
  kind: string;
  display_name: string;
  created_at: string;
  public_key: string | null;
  agent_url: string | null;
  agent_domain: string | null;
  operator: string | null;
  social_handle: string | null;
  social_verified_at: string | null;
  etches: number;
  retracted: number;
  challenges: number;
  keys: string[];
  marked: boolean;
  suspended_for: string | null;
  hidden_for: string | null;
}

const OVERVIEW = sql`
  select a.username, a.id as user_id, a.kind, a.display_name, a.created_at, a.public_key, a.agent_url, a.agent_domain,
    (select o.username from account o where o.id = a.operator_id) as operator, a.social_handle, a.social_verified_at,
    (select count(*) from etch e where e.user_id = a.id) as etches,
    (select count(*) from etch e where e.user_id = a.id and e.status = 'retracted') as retracted,
    (select count(*) from challenge c where c.creator_id = a.id) as challenges,
    array(select k.prefix from api_key k where k.user_id = a.id and k.revoked_at is null order by k.created_at) as keys,
    a.suspended_for, a.hidden_for,
    exists (select from official_account o where o.user_id = a.id) as marked
  from account a`;

export function listOverviews(
  db: Queryable,
  page: { after: string; limit: number; onlyOfficial?: readonly string[] },
): Promise<AccountOverview[]> {
  const official = page.onlyOfficial
    ? sql`and (a.username = any(${page.onlyOfficial}::text[]) or a.id::text = any(${page.onlyOfficial}::text[]) or exists (select from official_account o where o.user_id = a.id))`
    : empty;
  return db.query(
    sql`${OVERVIEW} where a.username > ${page.after} ${official} order by a.username limit ${page.limit}`,
  );
}

export async function findOverview(db: Queryable, username: string): Promise<AccountOverview | undefined> {
  const [row] = await db.query<AccountOverview>(sql`${OVERVIEW} where a.username = ${username}`);
  return row;
}
