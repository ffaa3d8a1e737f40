import { type Forecast, VOID } from './forecast.ts';
import { runToEnd, sortInTimeSlices, type TimeSlices } from './time-slices.ts';
import { inOrder, isEtchTakenDown, type PublicChallenge, type PublicEtch, push } from './public-data.ts';
import { type AnswerFormat, formatOfForecast, outcomeMisfit, parseQuestion } from './question.ts';
import { describedTarget, type ResolutionWords } from './resolution.ts';
import { readWords } from './words.ts';

export interface StandingResolution {
  etch_id: string;
  user_id: string;
  username: string;
  outcome: string;
  source: string;
  attested_at: string;
}

/** docs/conventions.md#resolutions */
export interface Resolution {
  state: 'resolved' | 'void' | 'unresolved';
  reason: string | null;
  /** the resolution that counts */
  first: StandingResolution | null;
  /** later ones, without effect */
  corrections: StandingResolution[];
  /** skipped: a takedown erased their outcome */
  taken_down: TakenDownResolution[];
}

export interface TakenDownResolution {
  etch_id: string;
  attested_at: string;
}

interface Question {
  target: string;
  format: AnswerFormat;
  /** API time */
  from: string;
}

/**
 * The creator's first instant etch counts that is described as the resolution and attested after the close.
 * If the creator retracted it, none counts.
 * @param etches the creator's whole record
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
  return resolveBy(challenge, runToEnd(readResolver(ofAuthor(etches, challenge.creator_id))));
}

export function resolveBy(challenge: PublicChallenge, record: ResolverRecord): Resolution {
  const format = parseQuestion(challenge.question);
  if (format.asks === 'text') return unresolved('the question asks for a text');
  const question = { target: challenge.id, format, from: challenge.reveal_at };
  return resolve(question, record, 'its creator has not resolved it');
}

/**
 * By the rules of `resolveChallenge`, for a forecast outside challenges.
 * @param etches the author's whole record
 * @example
 * const [id, at] = ['ba2700ee-b11f-45fe-a934-06098975d379', '2026-01-02T12:00:00.000Z'];
 * const content = 'svc-forecast:v1 yes=0.72';
 * const etch = { id, created_at: at, content, author: { user_id: 'ada' }, chain: { anchored_at: at } };
 * resolveForecast(etch, parseForecast(content), []).state; // 'unresolved'
 */
export function resolveForecast(
  etch: PublicEtch,
  forecast: Forecast,
  etches: readonly PublicEtch[],
): Resolution {
  return resolveAloneBy(etch, forecast, runToEnd(readResolver(ofAuthor(etches, etch.author.user_id))));
}

export function resolveAloneBy(
  { id, created_at }: PublicEtch,
  forecast: Forecast,
  record: ResolverRecord,
): Resolution {
  const question = { target: id, format: formatOfForecast(forecast), from: created_at ?? '' };
  return resolve(question, record, 'its author has not resolved it');
}

const ofAuthor = (etches: readonly PublicEtch[], userId: string): PublicEtch[] =>
  etches.filter(({ author }) => author.user_id === userId);

function resolve({ target, format, from }: Question, record: ResolverRecord, none: string): Resolution {
  const standing = (record.standing.get(target) ?? [])
    .filter(({ etch, words }) => isAfter(etch, from) && outcomeMisfit(words.outcome, format) === null)
    .map(standingOf);
  const [first, ...corrections] = standing;
  const taken_down = (record.takenDown.get(target) ?? [])
    .filter((etch) => isAfter(etch, from))
    .map(({ id, chain }) => ({ etch_id: id, attested_at: chain.anchored_at! }));
  const retracted = (record.retracted.get(target) ?? []).find((etch) => isAfter(etch, from));
  // A retraction erases `created_at`, so at an equal time the retracted etch counts as the earlier one.
  if (retracted !== undefined && (first === undefined || retracted.chain.anchored_at! <= first.attested_at))
    return unresolved(
      `the etch ${retracted.id}, attested at ${retracted.chain.anchored_at}, was its first resolution, and its author retracted it`,
      taken_down,
      standing,
    );
  if (first === undefined)
    return unresolved(
      taken_down.length === 0
        ? none
        : `its resolution ${taken_down[0]!.etch_id} was taken down by the operator, and there is no other`,
      taken_down,
    );
  const state = first.outcome === VOID ? 'void' : 'resolved';
  return { state, reason: null, first, corrections, taken_down };
}

const unresolved = (
  reason: string,
  taken_down: TakenDownResolution[] = [],
  corrections: StandingResolution[] = [],
): Resolution => ({ state: 'unresolved', reason, first: null, corrections, taken_down });

/** Compares whole seconds: a retracted etch has only `anchored_at`. */
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

/** Resolutions by target, in order of attestation. */
export interface ResolverRecord {
  standing: Map<string, { etch: PublicEtch; words: ResolutionWords }[]>;
  /** by the author */
  retracted: Map<string, PublicEtch[]>;
  /** by the operator */
  takenDown: Map<string, PublicEtch[]>;
}

/** @param etches of one author */
export function* readResolver(etches: readonly PublicEtch[]): TimeSlices<ResolverRecord> {
  const record: ResolverRecord = { standing: new Map(), retracted: new Map(), takenDown: new Map() };
  const candidates: { etch: PublicEtch; target: string }[] = [];
  for (const etch of etches) {
    yield;
    if (etch.mode !== 'instant' || etch.challenge !== null || etch.chain.anchored_at === null) continue;
    const target = describedTarget(etch.description);
    if (target !== null) candidates.push({ etch, target });
  }
  for (const { etch, target } of yield* sortInTimeSlices(candidates, (a, b) => inOrder(a.etch, b.etch))) {
    yield;
    if (etch.status === 'retracted') {
      push(isEtchTakenDown(etch) ? record.takenDown : record.retracted, target, etch);
      continue;
    }
    const words = readWords(etch.content ?? '');
    if (words.kind === 'resolution' && words.target === target)
      push(record.standing, target, { etch, words });
  }
  return record;
}
