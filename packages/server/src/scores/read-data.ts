import { parseQuestion } from '@svc/protocol/conventions';
import type { PublicChallenge, PublicData, PublicEtch } from '@svc/protocol/conventions';
import { toTime } from '../db/clock.ts';
import type { Queryable } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import { openIfWhole } from '../etches/secret.ts';
import { statusAt } from '../etches/status.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { countBeside, readAnswers, readOwn, readResolutions, type ScoreRow } from './store.ts';

export interface Reading {
  keyring: Keyring;
  /** milliseconds */
  now: number;
  /** so many etches are held for one score; whoever has more computes it from the record */
  most: number;
}

/**
 * What an account's scores are made of, and no more of it: everything that is left out changes no score.
 * @param db of one moment
 * @throws Failure unprocessable
 */
export async function readAccountData(db: Queryable, userId: string, reading: Reading): Promise<PublicData> {
  const now = toTime(reading.now);
  const data = createData(reading);
  for await (const rows of readOwn(db, userId, now)) data.add(rows);
  for (const creator of data.creators())
    if (creator !== userId) for await (const rows of readResolutions(db, creator)) data.add(rows);
  data.noteBeside(await countBeside(db, [userId], now));
  return data.whole;
}

/** The same of a challenge. @throws Failure unprocessable */
export async function readChallengeData(
  db: Queryable,
  challenge: PublicChallenge,
  reading: Reading,
): Promise<PublicData> {
  const data = createData(reading, [challenge]);
  for await (const rows of readAnswers(db, challenge.id)) {
    data.add(rows);
    const answerers = rows.map((row) => row.user_id);
    if (rows.length > 0) data.noteBeside(await countBeside(db, answerers, toTime(reading.now)));
  }
  for await (const rows of readResolutions(db, challenge.creator_id)) data.add(rows);
  return data.whole;
}

function createData({ keyring, now, most }: Reading, known: readonly PublicChallenge[] = []) {
  const etches: PublicEtch[] = [];
  const challenges = new Map(known.map((challenge) => [challenge.id, challenge]));
  const beside = new Map<string, { sealed: number; retracted: number }>();
  const texts = new Set<string>();
  return {
    get whole(): PublicData {
      return { etches, challenges: [...challenges.values()], beside };
    },
    add(rows: readonly ScoreRow[]): void {
      for (const row of rows) {
        if (row.challenge_id !== null && !asksForMore(row, { challenges, texts })) continue;
        etches.push(publicEtch(row, now, keyring));
      }
      if (etches.length > most)
        throw new Failure(
          'unprocessable',
          `more than ${most} etches go into this score (LIMIT_SCORE_ETCHES): compute it from the public record with \`svc score\``,
        );
    },
    noteBeside(counted: readonly { user_id: string; sealed: number; retracted: number }[]): void {
      for (const { user_id, sealed, retracted } of counted) beside.set(user_id, { sealed, retracted });
    },
    creators: (): Set<string> => new Set([...challenges.values()].map(({ creator_id }) => creator_id)),
  };
}

/** Answers to questions that ask for a text are in no score. */
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

/** As `etchView` shows it, as far as scores look. */
function publicEtch(row: ScoreRow, now: number, keyring: Keyring): PublicEtch {
  const status = statusAt(row, now);
  const content = status === 'revealed' ? wordsOf(row, keyring) : null;
  return {
    id: row.id,
    status,
    mode: row.mode,
    description: row.description,
    content,
    created_at: content === null ? null : row.created_at,
    author: { user_id: row.user_id, username: row.username },
    challenge: row.challenge_id === null ? null : { id: row.challenge_id },
    chain: { anchored_at: row.anchored_at },
  };
}

function wordsOf({ id, sealed, content }: ScoreRow, keyring: Keyring): string | null {
  return sealed ? (openIfWhole(keyring, id, sealed)?.content ?? null) : content;
}
