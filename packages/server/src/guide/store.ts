// The guide for testers: its steps, its questions, and their answers.
import type { GuideAnswers } from '@svc/contract';
import sql, { empty } from 'sql-template-tag';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Queryable } from '../db/db.ts';
import { findEtches } from '../etches/store.ts';
import { etchView, type ViewContext } from '../etches/view.ts';
import type { Caller } from '../identity/caller.ts';
import { badField, Failure } from '../platform/failure.ts';
import type { GuideSettings } from '../settings/config.ts';

/** An account's record decides which steps are done. */
const STEPS = [
  { id: 'etch', title: 'Etch a text that is public at once' },
  { id: 'seal', title: 'Seal a text until a time of your choice' },
  { id: 'reveal', title: 'See a sealed text revealed' },
  { id: 'anchor', title: 'See an etch anchored on the chain' },
  { id: 'retract', title: 'Retract an etch and find its tombstone' },
  { id: 'challenge', title: 'Enter a challenge' },
  { id: 'ask', title: 'Open a challenge' },
  { id: 'follow', title: 'Follow an account, a topic, a challenge or an etch' },
  { id: 'key', title: 'Make an API key beside your first one' },
] as const;

const QUESTIONS = [
  { id: 'expected', text: 'What did you come here to do, and could you do it?' },
  { id: 'confusing', text: 'Where did you stop and wonder?' },
  { id: 'trust', text: 'What would make you trust a record here, and what makes you doubt it?' },
  { id: 'missing', text: 'What did you look for and not find?' },
  { id: 'broken', text: 'What did not work? What did you do, and what happened?' },
  { id: 'anything', text: 'Anything else?' },
] as const;

export function requireGuide({ enabled }: GuideSettings): void {
  if (!enabled) throw new Failure('not_found', 'the guide is off on this service');
}

/** An id is safer than a username, because the first account to take a username gets it. */
function isReader({ readers }: GuideSettings, { userId, author }: Caller): boolean {
  return readers.has(userId) || readers.has(author.username);
}

export async function readGuide(
  db: Db,
  caller: Caller,
  now: number,
  settings: GuideSettings,
  view: ViewContext,
) {
  requireGuide(settings);
  const { userId, author } = caller;
  const [progress, answers, proofId] = await Promise.all([
    findProgress(db, [userId], toTime(now)),
    listAnswerRows(db, userId),
    db.value<string | undefined>(sql`
      select id from etch where user_id = ${userId} and (status = 'revealed' or (status = 'sealed' and reveal_at <= ${toTime(now)}))
      order by created_at desc, id limit 1`),
  ]);
  const [proof] = proofId === undefined ? [] : await findEtches(db, [proofId]);
  return {
    progress: progress(userId),
    questions: QUESTIONS,
    answers: byQuestion(answers),
    username: author.username,
    proof_etch: proof ? etchView(proof, now, view) : null,
    reader: isReader(settings, caller),
  };
}

export async function readAllAnswers(db: Db, caller: Caller, now: number, settings: GuideSettings) {
  requireGuide(settings);
  if (!isReader(settings, caller)) throw new Failure('not_found', 'there is nothing at this path');
  const testers = new Map<string, AnswerRow[]>();
  for (const row of await listAnswerRows(db)) {
    const name = row.user_id ?? `anon:${row.anon_key ?? ''}`;
    const rows = testers.get(name);
    if (rows) rows.push(row);
    else testers.set(name, [row]);
  }
  const ids = [...testers.values()].flatMap(([first]) => first!.user_id ?? []);
  const progress = await findProgress(db, ids, toTime(now));
  return [...testers.values()].map((rows) => {
    const { user_id, username } = rows[0]!;
    return { user_id, username, progress: progress(user_id), answers: byQuestion(rows) };
  });
}

interface AnswerRow {
  user_id: string | null;
  anon_key: string | null;
  username: string | null;
  question: string;
  answer: string;
}

/** Answers may be long. */
const AT_ONCE = 100;

async function listAnswerRows(db: Queryable, userId?: string): Promise<AnswerRow[]> {
  const whose = userId === undefined ? empty : sql`and g.user_id = ${userId}`;
  const all: AnswerRow[] = [];
  for (let last = 0; ;) {
    const rows: (AnswerRow & { id: number })[] = await db.query(sql`
      select g.id, g.user_id, g.anon_key, a.username, g.question, g.answer
      from guide_answer g left join account a on a.id = g.user_id
      where g.id > ${last} ${whose} order by g.id limit ${AT_ONCE}`);
    for (const { id, ...row } of rows) {
      all.push(row);
      last = id;
    }
    if (rows.length < AT_ONCE) return all;
  }
}

/** @returns the steps with whether the account has done each */
async function findProgress(db: Queryable, userIds: readonly string[], now: string) {
  const mine = sql`from etch where user_id = u.id`;
  const rows = await db.query<Record<(typeof STEPS)[number]['id'], boolean> & { user_id: string }>(sql`
    select u.id as user_id,
    exists (select 1 ${mine} and mode = 'instant') as etch,
    exists (select 1 ${mine} and mode = 'delayed') as seal,
    exists (select 1 ${mine} and mode = 'delayed' and status <> 'retracted' and reveal_at <= ${now}) as reveal,
    exists (select 1 from etch e join batch_leaf l on l.kind = 0 and l.etch_id = e.id join batch b on b.id = l.batch_id
            where e.user_id = u.id and b.anchored_at is not null) as anchor,
    exists (select 1 ${mine} and status = 'retracted') as retract,
    exists (select 1 ${mine} and challenge_id is not null) as challenge,
    exists (select 1 from challenge where creator_id = u.id) as ask,
    exists (select 1 from follow where user_id = u.id) as follow,
    exists (select 1 from api_key where user_id = u.id and name not in ('registration', 'recovered')) as key
    from unnest(${userIds}::uuid[]) as u (id)`);
  const done = new Map(rows.map((row) => [row.user_id, row]));
  return (userId: string | null) =>
    STEPS.map((step) => ({ ...step, done: done.get(userId ?? '')?.[step.id] ?? false }));
}

function byQuestion(rows: readonly AnswerRow[]): GuideAnswers {
  const answers: GuideAnswers = {};
  for (const { question, answer } of rows) (answers[question] ??= []).push(answer);
  return answers;
}

interface Submission {
  anon_key?: string;
  answers: readonly { question: string; answer: string }[];
}

/** Runs before the validation, so that invalid answers count too. */
export function countAnswers(body: unknown): number {
  const { answers } = (body ?? {}) as { answers?: unknown };
  if (!Array.isArray(answers)) return 0;
  return (answers as ({ answer?: unknown } | null)[]).filter(
    (one) => typeof one?.answer === 'string' && one.answer.trim() !== '',
  ).length;
}

export function keptAnswers({ answers }: Submission): { question: string; answer: string }[] {
  answers.forEach(({ question }, index) => {
    if (!QUESTIONS.some(({ id }) => id === question)) {
      throw badField(
        `answers.${index}.question`,
        `must be one of: ${QUESTIONS.map(({ id }) => id).join(', ')}`,
      );
    }
  });
  const kept = answers.filter(({ answer }) => answer.trim() !== '');
  if (kept.length === 0) throw badField('answers', 'are all empty');
  return kept;
}

/** An earlier answer stays. */
export async function keepAnswers(
  db: Db,
  clock: Clock,
  caller: Caller | null,
  { anon_key }: Submission,
  kept: Submission['answers'],
): Promise<void> {
  const anonymous = caller ? null : (anon_key ?? null);
  await db.query(sql`
    insert into guide_answer (user_id, anon_key, question, answer, created_at)
    select ${caller?.userId ?? null}::uuid, ${anonymous}::uuid, q, a, ${toTime(clock.now())}
    from unnest(${kept.map((one) => one.question)}::text[], ${kept.map((one) => one.answer)}::text[])
      with ordinality as v (q, a, n) order by n`);
}
