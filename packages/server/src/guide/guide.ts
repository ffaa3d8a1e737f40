import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { badField, Failure } from '../platform/failure.ts';
import { findEtches } from '../etches/store.ts';
import { etchView, type ViewContext } from '../etches/view.ts';
import type { Caller } from '../identity/caller.ts';
import type { GuideSettings } from '../settings/config.ts';
import {
  type AnswerRow,
  type DoneSteps,
  findDoneSteps,
  findProofEtch,
  insertAnswers,
  listAnswerRows,
  QUESTIONS,
  STEPS,
} from './store.ts';

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
  const [done, answers, proofId] = await Promise.all([
    findDoneSteps(db, [userId], toTime(now)),
    listAnswerRows(db, userId),
    findProofEtch(db, userId, toTime(now)),
  ]);
  const [proof] = proofId === undefined ? [] : await findEtches(db, [proofId]);
  return {
    progress: progressOf(done.get(userId)),
    questions: QUESTIONS.map((question) => ({ ...question })),
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
  const all = [...testers.values()] as [AnswerRow, ...AnswerRow[]][];
  const done = await findDoneSteps(
    db,
    all.flatMap(([{ user_id: userId }]) => userId ?? []),
    toTime(now),
  );
  return all.map((rows) => {
    const [{ user_id: userId, username }] = rows;
    return {
      user_id: userId,
      username,
      progress: progressOf(userId === null ? undefined : done.get(userId)),
      answers: byQuestion(rows),
    };
  });
}

export interface Submission {
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
  submission: Submission,
  kept: readonly { question: string; answer: string }[],
): Promise<void> {
  const who = { userId: caller?.userId ?? null, anonKey: caller ? null : (submission.anon_key ?? null) };
  await insertAnswers(db, who, kept, toTime(clock.now()));
}

function progressOf(done: DoneSteps | undefined) {
  return STEPS.map((step) => ({ ...step, done: done?.[step.id] ?? false }));
}

function byQuestion(rows: readonly AnswerRow[]): Record<string, string[]> {
  const answers: Record<string, string[]> = {};
  for (const { question, answer } of rows) (answers[question] ??= []).push(answer);
  return answers;
}
