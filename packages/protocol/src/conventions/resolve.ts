import { VOID } from './forecast.ts';
import type { Forecast } from './forecast.ts';
import { inOrder } from './public-data.ts';
import type { PublicChallenge, PublicEtch } from './public-data.ts';
import type { Asked } from './question.ts';
import { askedByForecast, outcomeMisfit, parseQuestion } from './question.ts';
import { describedAs } from './resolution.ts';
import type { ResolutionWords } from './resolution.ts';
import { readWords } from './words.ts';

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
  /** whose word it is */
  resolver: string;
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
  const asked = parseQuestion(challenge.question);
  if (asked.asks === 'text') return unresolved('the question asks for a text');
  return resolve(
    {
      target: challenge.id,
      asked,
      resolver: challenge.creator_id,
      from: challenge.reveal_at,
      isStrict: true,
    },
    etches,
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
  { id, author, created_at }: PublicEtch,
  forecast: Forecast,
  etches: readonly PublicEtch[],
): Resolution {
  const asked = askedByForecast(forecast);
  return resolve(
    { target: id, asked, resolver: author.user_id, from: created_at ?? '', isStrict: false },
    etches,
    'its author has not resolved it',
  );
}

function resolve(question: Question, etches: readonly PublicEtch[], none: string): Resolution {
  const candidates = etches
    .filter(
      (etch) =>
        etch.author.user_id === question.resolver && etch.mode === 'instant' && etch.challenge === null,
    )
    .filter((etch) => etch.chain.anchored_at !== null && isAfter(etch, question.from))
    .sort(inOrder);
  const standing = candidates.flatMap((etch) => standingOf(etch, question));
  const [first, ...corrections] = standing;
  // Its own time is erased: of the same attestation time as the first, it comes before it.
  const takenBack = candidates.find(
    (etch) =>
      mayHaveResolved(etch, question) &&
      (first === undefined || etch.chain.anchored_at! <= first.attested_at),
  );
  if (takenBack !== undefined)
    return {
      ...unresolved(
        `the etch ${takenBack.id}, attested at ${takenBack.chain.anchored_at}, was or may have been its first resolution, and is retracted`,
      ),
      corrections: standing,
    };
  if (first === undefined) return unresolved(none);
  return { state: first.outcome === VOID ? 'void' : 'resolved', reason: null, first, corrections };
}

const unresolved = (reason: string): Resolution => ({
  state: 'unresolved',
  reason,
  first: null,
  corrections: [],
});

/** Attestations have whole seconds. */
function isAfter({ created_at, chain }: PublicEtch, from: string): boolean {
  return (
    (created_at === null || created_at >= from) &&
    `${chain.anchored_at!.slice(0, 19)}Z` >= `${from.slice(0, 19)}Z`
  );
}

function standingOf(etch: PublicEtch, { target, asked }: Question): StandingResolution[] {
  const words = etch.content === null ? null : readWords(etch.content);
  if (words?.kind !== 'resolution' || !counts(words, etch, target, asked)) return [];
  const { outcome, source } = words;
  const { user_id, username } = etch.author;
  return [{ etch_id: etch.id, user_id, username, outcome, source, attested_at: etch.chain.anchored_at! }];
}

// One that calls itself something else would be no resolution any more once its words are gone.
const counts = (words: ResolutionWords, { description }: PublicEtch, target: string, asked: Asked): boolean =>
  words.target === target &&
  outcomeMisfit(words.outcome, asked) === null &&
  describedAs(description, target) !== 'else';

function mayHaveResolved({ status, description }: PublicEtch, { target, isStrict }: Question): boolean {
  if (status !== 'retracted') return false;
  const said = describedAs(description, target);
  return said === 'this' || (isStrict && said === null);
}
