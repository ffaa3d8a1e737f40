// Data that several pages read: cards, outcomes, and the distribution of a challenge's answers.
import type { ChallengeCounts, ChallengeDetail, ChallengeListItem, Etch } from '@svc/contract';
import {
  type AnswerFormat,
  describedTarget,
  formatOfForecast,
  outcomeMisfit,
  parseQuestion,
  readWords,
} from '@svc/protocol/conventions';
import type { AnswersBy } from './answers-order.tsx';
import { challengeState } from '@svc/web/live-state';
import { answersByChallenge, type CardResults, withEtchCard } from '@svc/web/parts/etch-card';
import {
  type ListOutcomes,
  questionText,
  type ShownEtch,
  type Subject,
  titleOf,
  unitOf,
} from '@svc/web/etch-text';
import {
  readAnswer,
  type AnswerValue,
  type AnswerDistribution,
  distributionOf,
} from '@svc/web/answer-distribution';
import type { Site } from '@svc/web/site';
import { findChallenges } from '../../challenges/store.ts';
import { findEtches } from '../../etches/store.ts';
import { etchView, lengthOf } from '../../etches/view.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import type { FastifyRequest } from 'fastify';
import { type HttpDependencies, readContext, scoreContext } from '../dependencies.ts';
import { siteOf } from './site.ts';
import { Failure } from '../../platform/failure.ts';
import { type ResolvedOutcome, readOutcomes } from '../../records/scores/resolution.ts';
import { scoreChallenge } from '../../records/scores/score.ts';
import { toTime } from '../../db/clock.ts';
import { decryptIfIntact } from '../../etches/hidden-fields.ts';
import { listAnswerTexts } from '../../challenges/list-store.ts';
import { quorumOver, type SeenTree } from '../../proofs/log/checkpoints.ts';

interface CardOptions {
  showAuthor?: boolean;
  showTopic?: boolean;
  hit?: string | undefined;
  results?: CardResults | undefined;
}

/** Adds to each etch what it resolves, and its card. */
export const withCards = async (
  deps: HttpDependencies,
  etches: readonly Etch[],
  options?: CardOptions,
): Promise<ShownEtch[]> => drawCards(await withResolvedSubjects(deps, etches), siteOf(deps), options);

export const drawCards = (
  etches: readonly ShownEtch[],
  site: Pick<Site, 'drand' | 'now'>,
  options?: CardOptions,
): Promise<ShownEtch[]> =>
  mapInTimeSlices(etches, lengthOf, (etch) => withEtchCard(etch, { site, ...options }));

/**
 * Only the creator of a closed challenge and the author of a forecast can resolve it, with an outcome that the question
 * has. Other etches only state an outcome.
 */
export async function withResolvedSubjects(
  { db, clock, view }: HttpDependencies,
  etches: readonly Etch[],
): Promise<readonly ShownEtch[]> {
  const targets = etches.map(({ description }) => describedTarget(description));
  const ids = [...new Set(targets.filter((target) => target !== null))];
  if (ids.length === 0) return etches;
  const subjects = new Map<
    string,
    { subject: Subject; resolver: string; from: string; format: AnswerFormat }
  >();
  for (const row of await findChallenges(db, ids))
    if (row) {
      const { id, question, creator_id: resolver, reveal_at: from } = row;
      const subject = { path: `/ch/${id}`, title: questionText(question), unit: unitOf(question) };
      subjects.set(id, { subject, resolver, from, format: parseQuestion(question) });
    }
  for (const row of await findEtches(db, ids)) {
    if (!row) continue;
    const forecast = etchView(row, clock.now(), view);
    const { id, author, created_on: from } = forecast;
    const words = readWords(forecast.content ?? '');
    if (words.kind !== 'forecast') continue;
    const subject = { path: `/e/${id}`, title: titleOf(forecast) };
    subjects.set(id, { subject, resolver: author.user_id, from, format: formatOfForecast(words) });
  }
  return etches.map((etch, index) => {
    const found = subjects.get(targets[index] ?? '');
    const isBound =
      found?.resolver === etch.author.user_id && (etch.created_at ?? etch.created_on) >= found.from;
    return isBound && mayResolve(etch, found.format) ? { ...etch, subject: found.subject } : etch;
  });
}

/** Hidden and erased words may be a resolution. */
function mayResolve({ content, description }: Etch, format: AnswerFormat): boolean {
  if (content === null) return true;
  const words = readWords(content);
  return (
    words.kind === 'resolution' &&
    words.target === describedTarget(description) &&
    outcomeMisfit(words.outcome, format) === null
  );
}

/** When the witnesses of WITNESS_POLICY had seen the etch's tree. */
export const seenAt = async (
  { config, db, etches }: HttpDependencies,
  id: string,
): Promise<SeenTree | undefined> => config.witnessPolicy && quorumOver(db, etches.treeLog.origin, id);

/** Lets the page show the reason instead of the scores. */
export async function orProblem<Score>(score: Promise<Score>): Promise<Score | { problem: string }> {
  try {
    return await score;
  } catch (error) {
    if (error instanceof Failure) return { problem: error.message };
    throw error;
  }
}

export const outcomeOf = async (
  deps: HttpDependencies,
  challenge: ChallengeDetail,
): Promise<ResolvedOutcome | undefined> =>
  challenge.closed
    ? (await readOutcomes(deps.db, [challenge], readContext(deps))).get(challenge.id)
    : undefined;

/** Reads the outcome first, so that nothing names an outcome that its standings do not know yet. */
export async function resultOf(deps: HttpDependencies, request: FastifyRequest, challenge: ChallengeDetail) {
  const outcome = await outcomeOf(deps, challenge);
  if (!outcome || !('first' in outcome)) return { outcome, score: undefined };
  const score = await orProblem(scoreChallenge(scoreContext(deps, request), challenge.id, 1));
  return { outcome, score: 'problem' in score ? undefined : score };
}

/** The outcomes of closed challenges whose answers are one entry of a list. */
export async function outcomesOfAnswered(deps: HttpDependencies, etches: readonly ShownEtch[]) {
  const ids = answersByChallenge(etches).flatMap((entry) => {
    const answer = entry.find(({ challenge, status }) => challenge && status === 'revealed');
    return answer && entry.length > 1 ? [answer.challenge!.id] : [];
  });
  if (ids.length === 0) return undefined;
  const rows = (await findChallenges(deps.db, ids)).filter((row) => row !== undefined);
  return readOutcomes(deps.db, rows, readContext(deps));
}

export async function outcomesOf(
  deps: HttpDependencies,
  challenges: readonly ChallengeListItem[],
): Promise<ListOutcomes> {
  const closed = challenges.filter((one) => one.closed).map(({ id }) => id);
  if (closed.length === 0) return new Map();
  const rows = await findChallenges(deps.db, closed);
  return readOutcomes(
    deps.db,
    rows.filter((row) => row !== undefined),
    readContext(deps),
  );
}

/** No chart above this number of answers: reading them would block other requests. */
const MOST = 5_000;
/** The charts contain no text. */
const KEPT = 200;
const KEPT_ANSWERS = 50_000;

export interface ReadAnswers {
  distribution: AnswerDistribution | undefined;
  answers: readonly { id: string; reading: AnswerValue }[];
}

export function sortAnswerIds({ answers }: ReadAnswers, by: AnswersBy): string[] {
  if (by === 'others') return answers.flatMap(({ id, reading }) => (reading === null ? [id] : []));
  const direction = by === 'lowest' ? 1 : -1;
  return answers
    .filter(({ reading }) => reading !== null)
    .sort((a, b) => direction * difference(a.reading, b.reading) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

/** Only numbers have an order. */
const difference = (a: AnswerValue, b: AnswerValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : 0;

type ReadDistribution = (
  challenge: ChallengeDetail,
  counts: ChallengeCounts,
) => Promise<ReadAnswers | undefined>;

const readers = new WeakMap<HttpDependencies, ReadDistribution>();

/** One reader for each service, so that page, embed and picture share what it computed. */
export function answerDistributionReader(deps: HttpDependencies): ReadDistribution {
  const reader = readers.get(deps) ?? createDistributionReader(deps);
  readers.set(deps, reader);
  return reader;
}

/** Computes a chart once per state, because only a retraction or a takedown changes a closed challenge. */
function createDistributionReader({ db, clock, view }: HttpDependencies): ReadDistribution {
  const kept = new Map<string, { state: string; read: ReadAnswers | undefined }>();
  let keptAnswers = 0;

  function forget(id: string): void {
    keptAnswers -= kept.get(id)?.read?.answers.length ?? 0;
    kept.delete(id);
  }

  async function read(id: string, format: AnswerFormat): Promise<ReadAnswers | undefined> {
    const rows = await listAnswerTexts(db, id, { now: toTime(clock.now()), most: MOST + 1 });
    if (rows.length > MOST) return undefined;
    const readings = await mapInTimeSlices(
      rows,
      ({ sealed, content }) => (sealed ?? content ?? '').length,
      ({ id: etchId, sealed, content }): AnswerValue => {
        const words = sealed ? decryptIfIntact(view.keyring, etchId, sealed)?.content : content;
        return words === undefined || words === null ? null : readAnswer(format, words);
      },
    );
    const answers = rows.map((row, at) => ({ id: row.id, reading: readings[at]! }));
    return { distribution: distributionOf(format, readings), answers };
  }

  return async (challenge, counts) => {
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
