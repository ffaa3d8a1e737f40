// Reads the rows of a score page by page, and decrypts what has opened.
import type { PublicChallenge, PublicEtch } from '@svc/protocol/conventions';
import sql, { type Sql } from 'sql-template-tag';
import { toTime } from '../../db/clock.ts';
import type { Queryable } from '../../db/db.ts';
import { decryptIfIntact } from '../../etches/hidden-fields.ts';
import { type EtchRow, statusAt } from '../../etches/row.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';

export interface ReadContext {
  keyring: Keyring;
  now: number;
}

export async function readEtches(
  db: Queryable,
  ids: readonly string[],
  { keyring, now }: ReadContext,
): Promise<PublicEtch[]> {
  const etches: PublicEtch[] = [];
  for await (const rows of readRows(db, ids, toTime(now)))
    etches.push(...rows.map((row) => publicEtch(row, now, keyring)));
  return etches;
}

export const readEtch = async (db: Queryable, id: string, context: ReadContext) =>
  (await readEtches(db, [id], context))[0];

export function publicEtch(row: ScoreRow, now: number, keyring: Keyring): PublicEtch {
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
export interface ScoreRow extends Pick<EtchRow, EtchColumns | 'reveal_at' | 'challenge_id'> {
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

export const listIds = (db: Queryable, which: Sql, most: number) =>
  db.column<string>(sql`${which} limit ${most}`);

/**
 * Reads related rows one by one, so that the plan does not depend on statistics. Sealed text is read after its
 * reveal time.
 */
export async function* readRows(
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

export const findScoredChallenge = (db: Queryable, id: string) =>
  db.first<PublicChallenge>(sql`select id, question, creator_id, reveal_at from challenge where id = ${id}`);
