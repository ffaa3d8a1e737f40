// Reads all that a score of an account or a challenge needs, in one snapshot.
import { parseQuestion } from '@svc/protocol/conventions';
import type { PublicChallenge, PublicData, PublicEtch, TimeSlices } from '@svc/protocol/conventions';
import sql from 'sql-template-tag';
import { toTime } from '../../db/clock.ts';
import type { Queryable } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { runInTimeSlices } from '../../platform/flow/time-slices.ts';
import { listResolutions, resolversOf } from './resolution-store.ts';
import { listIds, publicEtch, type ReadContext, readRows, type ScoreRow } from './rows-store.ts';

export interface ScoreReadOptions extends ReadContext {
  /** clients score larger records themselves */
  most: number;
}

/** The rows that the transaction read. `toPublicData` decrypts and converts it afterwards. */
interface ScoreRows {
  pages: ScoreRow[][];
  challenges: PublicChallenge[];
  unscored: NonNullable<PublicData['unscored']>;
}

/**
 * @param db a snapshot
 * @throws Failure unprocessable
 */
export async function readAccountData(
  db: Queryable,
  userId: string,
  reading: ScoreReadOptions,
): Promise<ScoreRows> {
  const data = collectRows(db, reading);
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
  reading: ScoreReadOptions,
): Promise<ScoreRows> {
  const data = collectRows(db, reading, [challenge]);
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

function collectRows(db: Queryable, { now, most }: ScoreReadOptions, known: readonly PublicChallenge[] = []) {
  const pages: ScoreRow[][] = [];
  const challenges = new Map(known.map((challenge) => [challenge.id, challenge]));
  const texts = new Set<string>();
  let listed = 0;
  return {
    async read(list: (most: number) => Promise<string[]>): Promise<void> {
      const ids = await list(most - listed + 1);
      listed += ids.length;
      if (listed > most)
        throw new Failure(
          'unprocessable',
          `more than ${most} etches go into this score: compute it from the public record with \`svc score\``,
        );
      for await (const rows of readRows(db, ids, toTime(now)))
        pages.push(
          rows.filter((row) => row.challenge_id === null || asksForMore(row, { challenges, texts })),
        );
    },
    challenges: (): PublicChallenge[] => [...challenges.values()],
    authors: (): string[] => [...new Set(pages.flatMap((rows) => rows.map(({ user_id: id }) => id)))],
    with: (unscored: ScoreRows['unscored']): ScoreRows => ({
      pages,
      challenges: [...challenges.values()],
      unscored,
    }),
  };
}

/** Runs outside of the transaction: it takes time slices, and the embedded database has one session. */
export async function toPublicData(
  { pages, challenges, unscored }: ScoreRows,
  { now, keyring }: ReadContext,
): Promise<PublicData> {
  const etches: PublicEtch[] = [];
  const convert = function* (): TimeSlices<void> {
    for (let rows = pages.shift(); rows; rows = pages.shift())
      for (const row of rows) {
        etches.push(publicEtch(row, now, keyring));
        yield;
      }
  };
  await runInTimeSlices(convert());
  return { etches, challenges, unscored };
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

/** Must repeat the condition of the index etch_judged (000021_judged.sql) literally. */
const JUDGED = sql`(e.challenge_id is not null or e.content like 'svc-forecast:v1%'
  or e.content like 'svc-resolution:v1%' or (e.status = 'retracted' and e.mode = 'instant'))`;

/** Outcomes with spaces. Must repeat the condition of the index etch_judged_spaced (000046) literally. */
const JUDGED_SPACED = sql`e.challenge_id is null
  and (e.content like 'svc-forecast:v2%' or e.content like 'svc-resolution:v2%')`;

/** Only a question with a bracket may require more than a text. */
export async function listOwn(db: Queryable, userId: string, { now, most }: { now: string; most: number }) {
  return listIds(
    db,
    sql`select e.id from etch e left join challenge c on c.id = e.challenge_id
        where e.user_id = ${userId} and ${JUDGED} and (e.challenge_id is null or c.question like '%]%')
      union all
        select e.id from etch e where e.user_id = ${userId} and ${JUDGED_SPACED}
      union all
        select id from etch
        where user_id = ${userId} and challenge_id is null and status = 'sealed' and reveal_at <= ${now}`,
    most,
  );
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
