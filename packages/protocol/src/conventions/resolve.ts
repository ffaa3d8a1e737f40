import { VOID } from './forecast.ts';
import type { Forecast } from './forecast.ts';
import { doWhole } from './portions.ts';
import { inOrder } from './public-data.ts';
import type { PublicChallenge, PublicEtch } from './public-data.ts';
import type { Asked } from './question.ts';
import { askedByForecast, outcomeMisfit, parseQuestion } from './question.ts';
import type { ResolutionWords } from './resolution.ts';
import { readResolver } from './resolver-record.ts';
import type { ResolverRecord } from './resolver-record.ts';

/** A resolution that stands, with the etch that holds it. */
export interface StandingResolution {
  etch_id: string;
  user_id: string;
  username: string;
  outcome: string;
  source: string;
  /** when it was attested */
  attested_at: string;
}

/** What became of a question (docs/conventions.md#resolutions). */
export interface Resolution {
  state: 'resolved' | 'void' | 'unresolved';
  /** why it is unresolved; else null */
  reason: string | null;
  /** the first one, which counts; null when unresolved */
  first: StandingResolution | null;
  /** later ones, in their order: shown beside it, and changing nothing */
  corrections: StandingResolution[];
}

interface Question {
  target: string;
  asked: Asked;
  /** from when on it can be resolved, API time */
  from: string;
  /** may a retracted etch that does not say what it was have been the first resolution? */
  isStrict: boolean;
}

/**
 * How a challenge was resolved: by its creator, instant, after it closed; the first one counts, and if that may have been
 * retracted, none.
 * @param etches the creator's record, the whole of it; etches of others are passed over
 * @example
 * const challenge = {
 *   id: 'ba2700ee-b11f-45fe-a934-06098975d379',
 *   question: 'Will it rain? [yes|no]',
 *   creator_id: '57d62c05-afa3-418c-ab9f-1256350f928d',
 *   reveal_at: '2026-01-02T12:00:00.000Z',
 * };
 * resolveChallenge(challenge, []).reason; // 'its creator has not resolved it'
 */
export function resolveChallenge(challenge: PublicChallenge, etches: readonly PublicEtch[]): Resolution {
  return resolveBy(challenge, doWhole(readResolver(ofAuthor(etches, challenge.creator_id))));
}

/** The same, of a record that is read. */
export function resolveBy(challenge: PublicChallenge, record: ResolverRecord): Resolution {
  const asked = parseQuestion(challenge.question);
  if (asked.asks === 'text') return unresolved('the question asks for a text');
  return resolve(
    {
      target: challenge.id,
      asked,
      from: challenge.reveal_at,
      isStrict: true,
    },
    record,
    'its creator has not resolved it',
  );
}

/**
 * How an author resolved a forecast of their own that is in no challenge. Only a retracted etch whose description names the
 * forecast counts as a resolution that was taken back: who judges himself could judge wrongly as well, and is marked.
 * @param etches the author's record, the whole of it
 * @example
 * const etch = {
 *   id: 'ba2700ee-b11f-45fe-a934-06098975d379',
 *   status: 'revealed',
 *   mode: 'instant',
 *   description: 'About rain',
 *   content: 'svc-forecast:v1 yes=0.72',
 *   created_at: '2026-01-02T12:00:00.000Z',
 *   author: { user_id: '57d62c05-afa3-418c-ab9f-1256350f928d', username: 'ada' },
 *   challenge: null,
 *   chain: { anchored_at: '2026-01-02T12:00:04.000Z' },
 * };
 * resolveForecast(etch, parseForecast(etch.content), [etch]).state; // 'unresolved'
 */
export function resolveForecast(
  etch: PublicEtch,
  forecast: Forecast,
  etches: readonly PublicEtch[],
): Resolution {
  return resolveAloneBy(etch, forecast, doWhole(readResolver(ofAuthor(etches, etch.author.user_id))));
}

/** The same, of a record that is read. */
export function resolveAloneBy(
  { id, created_at }: PublicEtch,
  forecast: Forecast,
  record: ResolverRecord,
): Resolution {
  return resolve(
    { target: id, asked: askedByForecast(forecast), from: created_at ?? '', isStrict: false },
    record,
    'its author has not resolved it',
  );
}

const ofAuthor = (etches: readonly PublicEtch[], userId: string): PublicEtch[] =>
  etches.filter(({ author }) => author.user_id === userId);

function resolve(question: Question, record: ResolverRecord, none: string): Resolution {
  const { target, asked, from } = question;
  const standing = (record.standing.get(target) ?? [])
    .filter(({ etch, words }) => isAfter(etch, from) && outcomeMisfit(words.outcome, asked) === null)
    .map(standingOf);
  const [first, ...corrections] = standing;
  const takenBack = firstTakenBack(question, record);
  // Its own time is erased: of the same attestation time as the first, it comes before it.
  if (takenBack !== undefined && (first === undefined || takenBack.chain.anchored_at! <= first.attested_at))
    return {
      ...unresolved(
        `the etch ${takenBack.id}, attested at ${takenBack.chain.anchored_at}, was or may have been its first resolution, and is retracted`,
      ),
      corrections: standing,
    };
  if (first === undefined) return unresolved(none);
  return { state: first.outcome === VOID ? 'void' : 'resolved', reason: null, first, corrections };
}

function firstTakenBack(
  { target, from, isStrict }: Question,
  { named, unnamed }: ResolverRecord,
): PublicEtch | undefined {
  const told = (named.get(target) ?? []).find((etch) => isAfter(etch, from));
  const untold = isStrict ? unnamed[placeAfter(unnamed, from)] : undefined;
  if (told === undefined || untold === undefined) return told ?? untold;
  return inOrder(told, untold) <= 0 ? told : untold;
}

/** Where those begin that were attested from this time on: they are many, and are asked for often. */
function placeAfter(ordered: readonly PublicEtch[], from: string): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(ordered[middle]!, from)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const unresolved = (reason: string): Resolution => ({
  state: 'unresolved',
  reason,
  first: null,
  corrections: [],
});

/** Attestations have whole seconds. What is retracted has no other time. */
function isAfter({ created_at, chain }: PublicEtch, from: string): boolean {
  return (
    (created_at === null || created_at >= from) &&
    `${chain.anchored_at!.slice(0, 19)}Z` >= `${from.slice(0, 19)}Z`
  );
}

function standingOf({ etch, words }: { etch: PublicEtch; words: ResolutionWords }): StandingResolution {
  const { outcome, source } = words;
  const { user_id, username } = etch.author;
  return { etch_id: etch.id, user_id, username, outcome, source, attested_at: etch.chain.anchored_at! };
}
