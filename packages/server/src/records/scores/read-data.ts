import { parseQuestion } from '@svc/protocol/conventions';
import type { TimeSlices, PublicChallenge, PublicData, PublicEtch } from '@svc/protocol/conventions';
import { toTime } from '../../db/clock.ts';
import type { Queryable } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { decryptIfIntact } from '../../etches/hidden-fields.ts';
import { statusAt } from '../../etches/row.ts';
import { runInTimeSlices } from '../../platform/flow/time-slices.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import {
  countErased,
  countSealed,
  listAnswers,
  listOwn,
  listResolutions,
  readRows,
  type ScoreRow,
} from './store.ts';

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
  await data.read((most) => listResolutions(db, resolversOf(others, most), most));
  const [own] = await countErased(db, [userId]);
  const sealed = await countSealed(db, userId, now);
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
  await data.read((most) => listAnswers(db, challenge.id, most));
  const erased = await countErased(db, data.authors());
  await data.read((most) => listResolutions(db, resolversOf([challenge], most), most));
  // Standings do not reveal an account's sealed etches.
  return data.with(
    new Map(
      erased.map((one) => [one.user_id, { sealed: 0, retracted: one.retracted, takenDown: one.taken_down }]),
    ),
  );
}

export async function readResolutionEtches(
  db: Queryable,
  { resolvers, targets }: { resolvers: readonly string[]; targets: readonly string[] },
  { keyring, now }: Pick<Reading, 'keyring' | 'now'>,
): Promise<PublicEtch[]> {
  const most = MOST_RESOLUTIONS * targets.length;
  const ids = await listResolutions(db, { resolvers, targets, each: MOST_RESOLUTIONS }, most);
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

const resolversOf = (challenges: readonly PublicChallenge[], each: number) => ({
  resolvers: [...new Set(challenges.map(({ creator_id }) => creator_id))],
  targets: challenges.map(({ id }) => id),
  each,
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
