// The SQL that decides whether a standby's answer may be used.
import sql from 'sql-template-tag';
import { prepared, type Queryable } from '../../db/db.ts';
import { WrongServer } from '../../db/hosts.ts';
import { isDue } from '../../search-index/index-store.ts';
import { PUBLIC_STATE } from '../../search-index/names-store.ts';

export interface ShownRows {
  etches: readonly { id: string; status: string }[];
  accounts: readonly { id: string; username: string; display_name: string; social_handle: string | null }[];
}

export interface PublicState {
  state: string;
  /** a due text whose row is not updated yet */
  due: boolean;
}

/** Returns also which of `callers` wrote something after `since`. */
export async function readPublicState(
  primary: Queryable,
  { now, since, callers }: { now: string; since: string; callers: readonly string[] },
): Promise<PublicState & { writers: ReadonlySet<string> }> {
  const [row] = await primary.query<PublicState & { writers: string }>(
    prepared(sql`
      select ${PUBLIC_STATE} as state, ${isDue(now)} as due, array_to_string(array(
        select c.id from unnest(${callers}::uuid[]) as c (id) where
          exists (select from etch where user_id = c.id and created_at > ${since})
          or exists (select from challenge where creator_id = c.id and created_at > ${since})
          or exists (select from follow where user_id = c.id and created_at > ${since})), ',') as writers`),
  );
  const { state, due, writers } = row!;
  return { state, due, writers: new Set(writers.split(',')) };
}

export async function confirmShownRows(primary: Queryable, now: string, { etches, accounts }: ShownRows) {
  const [row] = await primary.query<PublicState & { gone: string }>(
    prepared(sql`
      select ${PUBLIC_STATE} as state, ${isDue(now)} as due, array_to_string(array(
        select f.id from unnest(${etches.map(({ id }) => id)}::uuid[], ${etches.map(({ status }) => status)}::text[]) as f (id, status)
        left join etch e on e.id = f.id where e.status is distinct from f.status
        union all
        select f.id from unnest(${accounts.map(({ id }) => id)}::uuid[], ${accounts.map((names) => names.username)}::text[],
          ${accounts.map((names) => names.display_name)}::text[], ${accounts.map((names) => names.social_handle)}::text[])
          as f (id, username, display_name, social_handle)
        left join account a on a.id = f.id
        where (a.username, a.display_name, a.social_handle) is distinct from (f.username, f.display_name, f.social_handle)), ',') as gone`),
  );
  const { state, due, gone } = row!;
  return { state, due, gone: new Set(gone.split(',')) };
}

/**
 * `at` is the primary's newest clock mark (ms).
 * @throws WrongServer if the standby was promoted, so that the pool drops the connection
 */
export async function readReplayed(tx: Queryable): Promise<{ state: string; at: number }> {
  const [row] = await tx.query<{ state: string; at: string | null; follows: boolean }>(sql`
    select ${PUBLIC_STATE} as state, (extract(epoch from newest) * 1000)::text as at, pg_is_in_recovery() as follows
    from clock_mark`);
  const { state, at, follows } = row!;
  if (!follows) throw new WrongServer('the server takes writes: it is no standby');
  return { state, at: at === null ? -Infinity : Number(at) };
}
