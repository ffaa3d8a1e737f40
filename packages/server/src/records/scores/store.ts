import { parseQuestion } from '@svc/protocol/conventions';
import type { PublicChallenge, PublicData, PublicEtch, TimeSlices } from '@svc/protocol/conventions';
import sql, { type Sql } from 'sql-template-tag';
import { toTime } from '../../db/clock.ts';
import type { Queryable } from '../../db/db.ts';
import { decryptIfIntact } from '../../etches/hidden-fields.ts';
import { type EtchRow, statusAt } from '../../etches/row.ts';
import { IS_RESOLUTION } from '../../events/resolved-store.ts';
import { Failure } from '../../platform/failure.ts';
import { runInTimeSlices } from '../../platform/flow/time-slices.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';

export interface Reading {
  keyring: Keyring;
  now: number;
  /** clients score larger records themselves */
  most: number;
}

/**
 * @param db a snapshot
 * @throws Failure unprocessable
 */
export async function readAccountData(db: Queryable, userId: string, reading: Reading): Promise<PublicData> {
  const data = createData(db, reading);
  const now = toTime(reading.now);
  await data.read((most) => listOwn(db, userId, { now, most }));
  const others = data.challenges().filter(({ creator_id }) => creator_id !== userId);
  await data.read((most) => listResolutions(db, { ...resolversOf(others), each: most }, most));
  const [own] = await countErased(db, [userId]);
  const sealed = await db.value<number>(sql`
    select count(*) as sealed from etch where user_id = ${userId} and status = 'sealed' and reveal_at > ${now}`);
  return data.with(
    new Map([[userId, { sealed, retracted: own?.retracted ?? 0, takenDown: own?.taken_down ?? 0 }]]),
  );
}

export async function readChallengeData(
  db: Queryable,
  challenge: PublicChallenge,
  reading: Reading,
): Promise<PublicData> {
  const data = createData(db, reading, [challenge]);
  const answers = sql`select id from etch where challenge_id = ${challenge.id}`;
  await data.read((most) => listIds(db, answers, most));
  const erased = await countErased(db, data.authors());
  await data.read((most) => listResolutions(db, { ...resolversOf([challenge]), each: most }, most));
  // Standings do not reveal an account's sealed etches.
  return data.with(
    new Map(
      erased.map((one) => [one.user_id, { sealed: 0, retracted: one.retracted, takenDown: one.taken_down }]),
    ),
  );
}

export async function readResolutionEtches(
  db: Queryable,
  wanted: { resolvers: readonly string[]; targets: readonly string[] },
  { keyring, now }: Pick<Reading, 'keyring' | 'now'>,
): Promise<PublicEtch[]> {
  const most = MOST_RESOLUTIONS * wanted.targets.length;
  const ids = await listResolutions(db, { ...wanted, each: MOST_RESOLUTIONS }, most);
  const etches: PublicEtch[] = [];
  for await (const rows of readRows(db, ids, toTime(now)))
    etches.push(...rows.map((row) => publicEtch(row, now, keyring)));
  return etches;
}

export async function readEtch(
  db: Queryable,
  id: string,
  { keyring, now }: Pick<Reading, 'keyring' | 'now'>,
): Promise<PublicEtch | undefined> {
  for await (const [row] of readRows(db, [id], toTime(now))) if (row) return publicEtch(row, now, keyring);
  return undefined;
}

/** The first valid resolution decides, so a page reads only this many of a question. */
const MOST_RESOLUTIONS = 1_000;

export const resolversOf = (challenges: readonly PublicChallenge[]) => ({
  resolvers: [...new Set(challenges.map(({ creator_id }) => creator_id))],
  targets: challenges.map(({ id }) => id),
});

function createData(db: Queryable, { keyring, now, most }: Reading, known: readonly PublicChallenge[] = []) {
  const etches: PublicEtch[] = [];
  const challenges = new Map(known.map((challenge) => [challenge.id, challenge]));
  const texts = new Set<string>();
  let listed = 0;
  const add = function* (rows: readonly ScoreRow[]): TimeSlices<void> {
    for (const row of rows) {
      if (row.challenge_id === null || asksForMore(row, { challenges, texts }))
        etches.push(publicEtch(row, now, keyring));
      yield;
    }
  };
  return {
    async read(list: (most: number) => Promise<string[]>): Promise<void> {
      const ids = await list(most - listed + 1);
      listed += ids.length;
      if (listed > most)
        throw new Failure(
          'unprocessable',
          `more than ${most} etches go into this score: compute it from the public record with \`svc score\``,
        );
      for await (const rows of readRows(db, ids, toTime(now))) await runInTimeSlices(add(rows));
    },
    challenges: (): PublicChallenge[] => [...challenges.values()],
    authors: (): string[] => etches.map(({ author }) => author.user_id),
    with: (beside: NonNullable<PublicData['beside']>): PublicData => ({
      etches,
      challenges: [...challenges.values()],
      beside,
    }),
  };
}

/** True for questions whose answers count in no score. */
function asksForMore(
  { challenge_id: id, question, creator_id, closes }: ScoreRow,
  { challenges, texts }: { challenges: Map<string, PublicChallenge>; texts: Set<string> },
): boolean {
  if (challenges.has(id!)) return true;
  if (texts.has(id!)) return false;
  const asks = parseQuestion(question!).asks !== 'text';
  if (asks)
    challenges.set(id!, { id: id!, question: question!, creator_id: creator_id!, reveal_at: closes! });
  else texts.add(id!);
  return asks;
}

function publicEtch(row: ScoreRow, now: number, keyring: Keyring): PublicEtch {
  const status = statusAt(row, now);
  const content = status === 'revealed' ? wordsOf(row, keyring) : null;
  return {
    id: row.id,
    status,
    ...(row.taken_down && { retracted_by: 'operator' as const }),
    mode: row.mode,
    description: row.description,
    content,
    created_at: content === null ? null : row.created_at,
    author: { user_id: row.user_id, username: row.username },
    challenge: row.challenge_id === null ? null : { id: row.challenge_id },
    chain: { anchored_at: row.anchored_at },
  };
}

const wordsOf = ({ id, sealed, content }: ScoreRow, keyring: Keyring): string | null =>
  sealed ? (decryptIfIntact(keyring, id, sealed)?.content ?? null) : content;

type EtchColumns =
  | 'id'
  | 'user_id'
  | 'username'
  | 'mode'
  | 'status'
  | 'description'
  | 'sealed'
  | 'created_at';
interface ScoreRow extends Pick<EtchRow, EtchColumns | 'reveal_at' | 'challenge_id'> {
  taken_down: boolean;
  /** the first line, or a whole list of files */
  content: string | null;
  anchored_at: string | null;
  question: string | null;
  creator_id: string | null;
  closes: string | null;
}

/** A page of the largest sealed rows takes a few megabytes. */
const PAGE = 1_000;

/** Keeps the LF, which decides about a CR before it. Other text is read as empty. */
const FIRST_LINE = sql`case when e.content like 'svc-files:%' then e.content
  when e.content like 'svc-%' then left(e.content, strpos(e.content || E'\\n', E'\\n')) else left(e.content, 0) end`;

/** Must repeat the condition of the index etch_judged (000021_judged.sql) literally. */
const JUDGED = sql`(e.challenge_id is not null or e.content like 'svc-forecast:v1%'
  or e.content like 'svc-resolution:v1%' or (e.status = 'retracted' and e.mode = 'instant'))`;

/** Only a question with a bracket may require more than a text. */
export async function listOwn(db: Queryable, userId: string, { now, most }: { now: string; most: number }) {
  return listIds(
    db,
    sql`select e.id from etch e left join challenge c on c.id = e.challenge_id
        where e.user_id = ${userId} and ${JUDGED} and (e.challenge_id is null or c.question like '%]%')
      union all
        select id from etch
        where user_id = ${userId} and challenge_id is null and status = 'sealed' and reveal_at <= ${now}`,
    most,
  );
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

/**
 * A condition on the id of a challenge: its creator resolved it. Compares the description as the index
 * etch_resolution does, because reading the words would cost more.
 */
export function isResolved(wanted: boolean): Sql {
  const target = sql`split_part(e.description, ' ', 2)`;
  return sql`id ${wanted ? sql`in` : sql`not in`} (
    select c.id from etch e
    join challenge c on c.creator_id = e.user_id and c.reveal_at <= e.created_at
      and c.id = case when ${target} ~ '^[0-9a-f-]{36}$' then ${target}::uuid end
    where split_part(e.description, ' ', 1) = 'svc-resolution:v1' and e.mode = 'instant' and e.challenge_id is null
      and e.content like 'svc-resolution:v1%' and e.status = 'revealed'
      and exists (select 1 from batch_leaf l join batch b on b.id = l.batch_id
        where l.kind = 0 and l.etch_id = e.id and b.anchored_at is not null))`;
}

const listIds = (db: Queryable, which: Sql, most: number) => db.column<string>(sql`${which} limit ${most}`);

/**
 * Reads related rows one by one, so that the plan does not depend on statistics. Sealed text is read after its
 * reveal time.
 */
async function* readRows(
  db: Queryable,
  ids: readonly string[],
  now: string,
): AsyncGenerator<ScoreRow[], void, undefined> {
  for (let from = 0; from < ids.length; from += PAGE)
    yield await db.query<ScoreRow>(sql`
      select e.id, e.user_id, a.username, e.mode, e.status,
        e.status = 'retracted' and exists (select 1 from erasure r where r.etch_id = e.id and r.taken_down is not null) as taken_down,
        e.description, ${FIRST_LINE} as content,
        case when e.reveal_at <= ${now} then e.sealed end as sealed, e.created_at, e.reveal_at, b.anchored_at,
        e.challenge_id, c.question, c.creator_id, c.reveal_at as closes
      from etch e
      left join lateral (select username from account where id = e.user_id limit 1) a on true
      left join lateral (select * from challenge where id = e.challenge_id limit 1) c on true
      left join lateral (
        select batch.anchored_at from batch_leaf join batch on batch.id = batch_id
        where batch_leaf.kind = 0 and etch_id = e.id limit 1) b on true
      where e.id = any(${ids.slice(from, from + PAGE)}::uuid[])`);
}

export const listNames = (db: Queryable, usernames: readonly string[]) =>
  db.query<{ username: string; display_name: string }>(
    sql`select username, display_name from account where username = any(${usernames}::text[])`,
  );

const countErased = (db: Queryable, userIds: readonly string[]) =>
  db.query<{ user_id: string; retracted: number; taken_down: number }>(sql`
    select user_id, count(*) filter (where not by_operator) as retracted, count(*) filter (where by_operator) as taken_down
    from (
      select user_id, exists (select 1 from erasure r where r.etch_id = e.id and r.taken_down is not null) as by_operator
      from etch e where user_id = any(${userIds}::uuid[]) and status = 'retracted') erased
    group by user_id`);

export const findScoredChallenge = (db: Queryable, id: string) =>
  db.first<PublicChallenge>(sql`select id, question, creator_id, reveal_at from challenge where id = ${id}`);
