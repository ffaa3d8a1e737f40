// Finds the etch that resolves a question: the first valid one of its creator.
import { describedTarget, type PublicChallenge, type PublicEtch } from '@svc/protocol/conventions';
import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { IS_RESOLUTION } from '../../events/resolved-store.ts';
import { listIds, type ReadContext, readEtches } from './rows-store.ts';

/** The first valid resolution decides, so this many of a question suffice. */
const MOST_RESOLUTIONS = 1_000;
/** A page reads fewer; the task "events" decides the question within a second. */
const MOST_UNDECIDED = 100;

export const resolversOf = (challenges: readonly PublicChallenge[]) => ({
  resolvers: [...new Set(challenges.map(({ creator_id }) => creator_id))],
  targets: challenges.map(({ id }) => id),
});

interface Wanted {
  resolvers: readonly string[];
  targets: readonly string[];
}

/** Reads one etch of each decided question, and the resolutions of the others. */
export async function readDeciding(
  db: Queryable,
  wanted: Wanted,
  context: ReadContext,
): Promise<PublicEtch[]> {
  const ids = await db.column<string>(
    sql`select etch_id from resolution where target_id = any(${wanted.targets}::uuid[])`,
  );
  const deciding = (await readEtches(db, ids, context)).filter(decides);
  const decided = new Set(deciding.map(({ description }) => describedTarget(description)));
  const targets = wanted.targets.filter((id) => !decided.has(id));
  if (targets.length === 0) return deciding;
  const others = await readResolutionEtches(db, { ...wanted, targets }, context, MOST_UNDECIDED);
  return [...deciding, ...others];
}

/** A takedown removes the outcome, and a lost attestation the order. */
const decides = ({ chain, status, retracted_by: by }: PublicEtch): boolean =>
  chain.anchored_at !== null && (status === 'revealed' || by === undefined);

export async function readResolutionEtches(
  db: Queryable,
  wanted: Wanted,
  context: ReadContext,
  each = MOST_RESOLUTIONS,
): Promise<PublicEtch[]> {
  const ids = await listResolutions(db, { ...wanted, each }, each * wanted.targets.length);
  return readEtches(db, ids, context);
}

/** Lists the first `each` of each question in order of attestation, with retracted ones. */
export async function listResolutions(
  db: Queryable,
  { resolvers, targets, each }: { resolvers: readonly string[]; targets: readonly string[]; each: number },
  most: number,
): Promise<string[]> {
  return listIds(
    db,
    sql`select r.id from unnest(${targets}::text[]) as t (target) cross join lateral (
      select e.id from etch e
      left join lateral (
        select batch.anchored_at from batch_leaf join batch on batch.id = batch_id
        where batch_leaf.kind = 0 and etch_id = e.id limit 1) b on true
      where ${IS_RESOLUTION} and split_part(e.description, ' ', 2) = t.target and e.user_id = any(${resolvers}::uuid[])
      order by b.anchored_at, e.created_at, e.id limit ${each}) r`,
    most,
  );
}

/** A condition on the id of a challenge: its creator resolved it. */
export const isResolved = (wanted: boolean): Sql => sql`id ${wanted ? sql`in` : sql`not in`} (
  select r.target_id from resolution r join etch e on e.id = r.etch_id where e.status = 'revealed')`;
