// Decides which etch resolves a question, and queues the event of a resolution.
import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';

/** The etch that decides a question: its first resolution that counts, or that its author retracted. */
export interface DecidedQuestion {
  type: 'challenge.resolved' | 'etch.resolved';
  /** challenge or forecast */
  targetId: string;
  /** null if none decides */
  etchId: string | null;
  /** when the resolution was attested; null if none counts */
  at: string | null;
}

/**
 * @param etchId a resolution, or a forecast outside challenges
 * @returns undefined if the etch belongs to no question
 */
export type FindDecided = (db: Queryable, etchId: string) => Promise<DecidedQuestion | undefined>;

/** Must repeat the condition of the index etch_resolution (000035_resolutions.sql) literally. */
export const IS_RESOLUTION = sql`split_part(e.description, ' ', 1) = 'svc-resolution:v1' and e.mode = 'instant' and e.challenge_id is null`;

/** Queues the resolutions among these etches, which became attested or were erased. */
export const queueResolutions = (tx: Tx, etchIds: readonly string[]) =>
  tx.query(sql`
    insert into resolution_queue (etch_id)
    select e.id from etch e where e.id = any(${etchIds}::uuid[]) and ${IS_RESOLUTION} order by e.id`);

/** Queues the forecasts among these opened etches that their authors resolved before. */
export const queueOpened = (tx: Tx, etchIds: readonly string[]) =>
  tx.query(sql`
    insert into resolution_queue (etch_id)
    select f.id from etch f where f.id = any(${etchIds}::uuid[]) and f.challenge_id is null and exists (
      select 1 from etch e
      where ${IS_RESOLUTION} and split_part(e.description, ' ', 2) = f.id::text and e.user_id = f.user_id)`);

interface Queued {
  id: number;
  etch_id: string;
  after_user: string | null;
  quiet: boolean;
}

/** At most `most` users; the row leaves the queue with its last ones. */
export async function takeResolved(tx: Tx, find: FindDecided, most: number) {
  const [queued] = await tx.query<Queued>(sql`
    select id, etch_id, after_user, quiet from resolution_queue order by quiet, id limit 1 for update skip locked`);
  if (!queued) return undefined;
  const { id, after_user: after, quiet } = queued;
  const found = await find(tx, queued.etch_id);
  if (found) await storeDecided(tx, found);
  const resolved = found && !quiet && isResolved(found) && (await noteTold(tx, found)) ? found : undefined;
  const users = resolved ? await listForecasters(tx, resolved, { after, most }) : [];
  if (users.length === most)
    await tx.query(sql`update resolution_queue set after_user = ${users.at(-1)} where id = ${id}`);
  else await tx.query(sql`delete from resolution_queue where id = ${id}`);
  return resolved && { ...resolved, users };
}

type Resolved = DecidedQuestion & { etchId: string; at: string };

const isResolved = (decided: DecidedQuestion): decided is Resolved => decided.at !== null;

async function storeDecided(tx: Tx, { targetId, etchId }: DecidedQuestion): Promise<void> {
  await tx.query(
    etchId === null
      ? sql`delete from resolution where target_id = ${targetId}`
      : sql`
        insert into resolution as r (target_id, etch_id) values (${targetId}, ${etchId})
        on conflict (target_id) do update set etch_id = excluded.etch_id where r.etch_id <> excluded.etch_id`,
  );
}

/** Queues what a process of an older version resolved after the migration. */
export const queueUnstored = (db: Queryable) =>
  db.query(sql`
    insert into resolution_queue (etch_id, quiet)
    select t.etch_id, true from resolution_told t left join resolution r using (target_id) where r.target_id is null`);

/** A different resolution gets events only after the operator took down the former. */
const noteTold = (tx: Tx, { targetId, etchId }: Resolved) =>
  tx.hasRows(sql`
    insert into resolution_told as t (target_id, etch_id) values (${targetId}, ${etchId})
    on conflict (target_id) do update set etch_id = excluded.etch_id
    where t.etch_id = excluded.etch_id
      or exists (select 1 from erasure r where r.etch_id = t.etch_id and r.taken_down is not null)
    returning 1`);

async function listForecasters(
  tx: Tx,
  { type, targetId }: Resolved,
  { after, most }: { after: string | null; most: number },
): Promise<string[]> {
  const which = type === 'challenge.resolved' ? sql`challenge_id = ${targetId}` : sql`id = ${targetId}`;
  return tx.column<string>(sql`
    select user_id from etch where ${which} and (${after}::uuid is null or user_id > ${after}::uuid)
    order by user_id limit ${most}`);
}
