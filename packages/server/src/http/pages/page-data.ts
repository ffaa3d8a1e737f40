import type { ChallengeCounts, ChallengeDetail, ChallengeListItem, Etch } from '@svc/contract';
import { type Asked, describedTarget, parseQuestion } from '@svc/protocol/conventions';
import type { AnswersBy } from './challenge.tsx';
import { challengeState } from '@svc/web/live-state';
import { drawEtchCard } from '@svc/web/parts/etch-card';
import { type ListOutcomes, noteSubject, questionText, titleOf, unitOf } from '@svc/web/etch-text';
import { readAnswer, type Reading, type Said, saidOf } from '@svc/web/said';
import type { Site } from '@svc/web/site';
import { findChallenges } from '../../challenges/store.ts';
import { findEtches } from '../../etches/store.ts';
import { etchView, lengthOf } from '../../etches/view.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { type Parts, readContext } from '../parts.ts';
import { siteOf } from './site.ts';
import { Failure } from '../../platform/failure.ts';
import { type Outcome, readOutcomes } from '../../records/scores/resolution.ts';
import { toTime } from '../../db/clock.ts';
import { decryptIfIntact } from '../../etches/hidden-fields.ts';
import { listSaid } from '../../challenges/list-store.ts';

interface CardOptions {
  showAuthor?: boolean;
  hit?: string | undefined;
}

export async function prepareCards(
  etches: readonly Etch[],
  parts: Parts,
  options?: CardOptions,
): Promise<void> {
  await noteSubjects(parts, etches);
  await drawCards(etches, siteOf(parts), options);
}

export async function drawCards(
  etches: readonly Etch[],
  site: Pick<Site, 'drand' | 'now'>,
  options?: CardOptions,
): Promise<void> {
  await mapInTimeSlices(etches, lengthOf, (etch) => drawEtchCard(etch, site, options));
}

/** Only the creator of a closed challenge and the author of a forecast can resolve it; others only claim an outcome. */
export async function noteSubjects({ db, clock, view }: Parts, etches: readonly Etch[]): Promise<void> {
  const targets = new Map<Etch, string>();
  for (const etch of etches) {
    const target = describedTarget(etch.description);
    if (target !== null) targets.set(etch, target);
  }
  if (targets.size === 0) return;
  const ids = [...new Set(targets.values())];
  const subjects = new Map<string, Parameters<typeof noteSubject>[1] & { resolver: string; from: string }>();
  for (const row of await findChallenges(db, ids))
    if (row)
      subjects.set(row.id, {
        path: `/ch/${row.id}`,
        title: questionText(row.question),
        unit: unitOf(row.question),
        resolver: row.creator_id,
        from: row.reveal_at,
      });
  for (const row of await findEtches(db, ids)) {
    if (!row) continue;
    const forecast = etchView(row, clock.now(), view);
    const { author, created_on: from } = forecast;
    subjects.set(row.id, { path: `/e/${row.id}`, title: titleOf(forecast), resolver: author.user_id, from });
  }
  for (const [etch, target] of targets) {
    const subject = subjects.get(target);
    if (subject?.resolver === etch.author.user_id && (etch.created_at ?? etch.created_on) >= subject.from)
      noteSubject(etch, subject);
  }
}

/** Lets the page show the reason instead of the scores. */
export async function orProblem<Score>(score: Promise<Score>): Promise<Score | { problem: string }> {
  try {
    return await score;
  } catch (error) {
    if (error instanceof Failure) return { problem: error.message };
    throw error;
  }
}

export const outcomeOf = async (parts: Parts, challenge: ChallengeDetail): Promise<Outcome | undefined> =>
  challenge.closed
    ? (await readOutcomes(parts.db, [challenge], readContext(parts))).get(challenge.id)
    : undefined;

export async function outcomesOf(
  parts: Parts,
  challenges: readonly ChallengeListItem[],
): Promise<ListOutcomes> {
  const closed = challenges.filter((one) => one.closed).map(({ id }) => id);
  if (closed.length === 0) return new Map();
  const rows = await findChallenges(parts.db, closed);
  return readOutcomes(
    parts.db,
    rows.filter((row) => row !== undefined),
    readContext(parts),
  );
}

/** No chart above this number of answers: reading them would block other requests. */
const MOST = 5_000;
/** The charts contain no text. */
const KEPT = 200;
const KEPT_ANSWERS = 50_000;

export interface ReadAnswers {
  said: Said | undefined;
  answers: readonly { id: string; reading: Reading }[];
}

export function idsBy({ answers }: ReadAnswers, by: AnswersBy): string[] {
  if (by === 'others') return answers.flatMap(({ id, reading }) => (reading === null ? [id] : []));
  const way = by === 'lowest' ? 1 : -1;
  return answers
    .filter(({ reading }) => reading !== null)
    .sort((a, b) =>
      typeof a.reading === 'number' && typeof b.reading === 'number'
        ? way * (a.reading - b.reading) || (a.id < b.id ? -1 : 1)
        : a.id < b.id
          ? -1
          : 1,
    )
    .map(({ id }) => id);
}

/** Computes a chart once per state, because only a retraction changes a closed challenge. */
export function saidReader({ db, clock, view }: Parts) {
  const kept = new Map<string, { state: string; read: ReadAnswers | undefined }>();
  let keptAnswers = 0;

  function forget(id: string): void {
    keptAnswers -= kept.get(id)?.read?.answers.length ?? 0;
    kept.delete(id);
  }

  async function read(id: string, asked: Asked): Promise<ReadAnswers | undefined> {
    const rows = await listSaid(db, id, { now: toTime(clock.now()), most: MOST + 1 });
    if (rows.length > MOST) return undefined;
    const readings = await mapInTimeSlices(
      rows,
      ({ sealed, content }) => (sealed ?? content ?? '').length,
      ({ id: etchId, sealed, content }): Reading => {
        const words = sealed ? decryptIfIntact(view.keyring, etchId, sealed)?.content : content;
        return words === undefined || words === null ? null : readAnswer(asked, words);
      },
    );
    const answers = rows.map((row, at) => ({ id: row.id, reading: readings[at]! }));
    return { said: saidOf(asked, readings), answers };
  }

  return async (challenge: ChallengeDetail, counts: ChallengeCounts): Promise<ReadAnswers | undefined> => {
    if (!challenge.closed) return undefined;
    const { id, question } = challenge;
    const state = challengeState(challenge, counts);
    const known = kept.get(id);
    if (known?.state === state) return known.read;
    const answers = await read(id, parseQuestion(question));
    forget(id);
    kept.set(id, { state, read: answers });
    keptAnswers += answers?.answers.length ?? 0;
    while (kept.size > KEPT || (keptAnswers > KEPT_ANSWERS && kept.size > 1))
      forget(kept.keys().next().value!);
    return answers;
  };
}
