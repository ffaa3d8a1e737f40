import { RESOLUTION_TAG } from '@svc/protocol/conventions';
import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';

export interface Resolved {
  type: 'challenge.resolved' | 'etch.resolved';
  /** challenge or forecast */
  targetId: string;
  /** attested at */
  at: string;
}

/** Undefined unless this resolution counts. */
export type FindResolved = (db: Queryable, etchId: string) => Promise<Resolved | undefined>;

/** Those among the etches, which became attested. */
export async function queueResolutions(tx: Tx, etchIds: readonly string[]): Promise<void> {
  await tx.query(sql`
    insert into resolution_queue (etch_id)
    select id from etch
    where id = any(${etchIds}::uuid[]) and mode = 'instant' and status = 'revealed' and challenge_id is null
      and split_part(description, ' ', 1) = ${RESOLUTION_TAG} order by id`);
}

/** At most `most` users; the row leaves the queue with its last ones. */
export async function takeResolved(
  tx: Tx,
  find: FindResolved,
  most: number,
): Promise<(Resolved & { etchId: string; users: string[] }) | undefined> {
  const [queued] = await tx.query<{ id: number; etch_id: string; after_user: string | null }>(
    sql`select id, etch_id, after_user from resolution_queue order by id limit 1 for update skip locked`,
  );
  if (!queued) return undefined;
  const { id, etch_id: etchId, after_user: after } = queued;
  const resolved = await find(tx, etchId);
  const users = resolved ? await listForecasters(tx, resolved, { after, most }) : [];
  if (users.length === most)
    await tx.query(sql`update resolution_queue set after_user = ${users.at(-1)} where id = ${id}`);
  else await tx.query(sql`delete from resolution_queue where id = ${id}`);
  return resolved && { ...resolved, etchId, users };
}

async function listForecasters(
  tx: Tx,
  { type, targetId }: Resolved,
  { after, most }: { after: string | null; most: number },
): Promise<string[]> {
  const which = type === 'challenge.resolved' ? sql`challenge_id = ${targetId}` : sql`id = ${targetId}`;
  const rows = await tx.query<{ user_id: string }>(sql`
    select user_id from etch where ${which} and (${after}::uuid is null or user_id > ${after}::uuid)
    order by user_id limit ${most}`);
  return rows.map((row) => row.user_id);
}
