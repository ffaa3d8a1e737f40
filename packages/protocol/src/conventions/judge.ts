import { beginsAsForecast, type Forecast, FORECAST_TAG } from './forecast.ts';
import { runToEnd, sortInTimeSlices, type TimeSlices } from './time-slices.ts';
import { inOrder, isEtchTakenDown, type PublicChallenge, type PublicEtch, push } from './public-data.ts';
import { type AnswerFormat, formatOfForecast, forecastMisfit, parseQuestion } from './question.ts';
import { readResolver, type Resolution, resolveAloneBy, resolveBy, type ResolverRecord } from './resolve.ts';
import { brierScore, isYesNo, logScore, quantileLoss } from './score-rules.ts';
import { readWords } from './words.ts';

const TAKEN_DOWN = 'taken down by the operator';

/** An answer attested later than this after the close is late. */
export const LATE_AFTER_MS = 600_000;

export const FORECAST_STATES = [
  'scored',
  'late',
  'malformed',
  'void',
  'unresolved',
  'pending',
  'sealed',
  'retracted',
  'taken_down',
] as const;
export type ForecastState = (typeof FORECAST_STATES)[number];

export interface JudgedForecast {
  etch_id: string;
  user_id: string;
  username: string;
  challenge_id: string | null;
  state: ForecastState;
  /** null when scored */
  reason: string | null;
  /** null if unreadable */
  forecast: Forecast | null;
  attested_at: string | null;
  /** the true outcome */
  outcome: string | null;
  resolution_id: string | null;
  /** resolved by the forecast's author */
  self_resolved: boolean;
  /** yes and no only; null for quantiles and without a score */
  binary: boolean | null;
  brier: number | null;
  log: number | null;
  quantile_loss: number | null;
  /** unit of the quantiles; null if the question names none */
  unit: string | null;
}

/** The whole records of the scored accounts and of the creators of their challenges. */
export interface PublicData {
  etches: readonly PublicEtch[];
  challenges: readonly PublicChallenge[];
  /** by account; without it, `etches` must be complete */
  unscored?: ReadonlyMap<string, UnscoredCounts>;
}

export interface UnscoredCounts {
  sealed: number;
  retracted: number;
  /** taken down */
  takenDown: number;
}

/**
 * Judges the answers to challenges that ask for a forecast, and texts outside challenges that begin as one.
 * Sealed and retracted etches outside challenges are skipped.
 * @returns in the order of attestation
 * @example
 * judgeForecasts({ etches: [], challenges: [] }); // []
 */
export function judgeForecasts(data: PublicData): JudgedForecast[] {
  return runToEnd(judgeInTimeSlices(data));
}

/** @param isMeant selects the etches to judge; the others may resolve them */
export function* judgeInTimeSlices(
  { etches, challenges }: PublicData,
  isMeant: (etch: PublicEtch) => boolean = () => true,
): TimeSlices<JudgedForecast[]> {
  const byAuthor = new Map<string, PublicEtch[]>();
  for (const etch of etches) {
    push(byAuthor, etch.author.user_id, etch);
    yield;
  }
  const resolvers = new Map<string, ResolverRecord>();
  const recordOf = function* (userId: string): TimeSlices<ResolverRecord> {
    const record = resolvers.get(userId) ?? (yield* readResolver(byAuthor.get(userId) ?? []));
    resolvers.set(userId, record);
    return record;
  };
  const questions = new Map<string, Question>();
  for (const challenge of challenges) {
    yield;
    const record = yield* recordOf(challenge.creator_id);
    const format = parseQuestion(challenge.question);
    questions.set(challenge.id, { challenge, format, resolution: resolveBy(challenge, record) });
  }
  const judged: JudgedForecast[] = [];
  for (const etch of yield* sortInTimeSlices(etches.filter(isMeant), inOrder)) {
    yield;
    const one =
      etch.challenge === null
        ? judgeAlone(etch, yield* recordOf(etch.author.user_id))
        : judgeAnswer(etch, questions.get(etch.challenge.id));
    if (one !== null) judged.push(one);
  }
  return judged;
}

interface Question {
  challenge: PublicChallenge;
  format: AnswerFormat;
  resolution: Resolution;
}

function judgeAlone(etch: PublicEtch, own: ResolverRecord): JudgedForecast | null {
  if (etch.content === null || !beginsAsForecast(etch.content)) return null;
  const words = readWords(etch.content);
  if (words.kind === 'text') return unscored(etch, 'malformed', words.reason, null);
  if (words.kind !== 'forecast') return null;
  return judge(etch, words, formatOfForecast(words), resolveAloneBy(etch, words, own), null);
}

function judgeAnswer(etch: PublicEtch, question: Question | undefined): JudgedForecast | null {
  if (question === undefined || question.format.asks === 'text') return null;
  const { challenge, format, resolution } = question;
  if (isEtchTakenDown(etch)) return unscored(etch, 'taken_down', TAKEN_DOWN, null);
  if (etch.status === 'retracted') return unscored(etch, 'retracted', 'its author took it back', null);
  if (etch.content === null) return unscored(etch, 'sealed', 'it is not revealed yet', null);
  const words = readWords(etch.content);
  if (words.kind !== 'forecast') {
    const reason = words.kind === 'text' ? words.reason : null;
    const none = `the words are no forecast: ${FORECAST_TAG} begins one`;
    return unscored(etch, 'malformed', reason ?? none, null);
  }
  const misfit = forecastMisfit(words, format);
  if (misfit !== null) return unscored(etch, 'malformed', misfit, words);
  return judge(etch, words, format, resolution, challenge.reveal_at);
}

function judge(
  etch: PublicEtch,
  forecast: Forecast,
  format: AnswerFormat,
  { state, first, reason }: Resolution,
  closes: string | null,
): JudgedForecast {
  const attested = etch.chain.anchored_at;
  const unit =
    forecast.form === 'quantiles' && format.asks === 'number' && format.unit !== '' ? format.unit : null;
  const unscoredAs = (state: ForecastState, reason: string | null): JudgedForecast => ({
    ...unscored(etch, state, reason, forecast),
    unit,
  });
  if (attested === null) return unscoredAs('pending', 'it is not attested yet');
  if (closes !== null && Date.parse(attested) > Date.parse(closes) + LATE_AFTER_MS) {
    const reason = `it was attested at ${attested}, and the challenge closed at ${closes}`;
    return unscoredAs('late', reason);
  }
  if (first === null) return unscoredAs('unresolved', reason);
  const shown = {
    outcome: first.outcome,
    resolution_id: first.etch_id,
    self_resolved: first.user_id === etch.author.user_id,
  };
  if (state === 'void') return { ...unscoredAs('void', 'it was resolved as void'), ...shown };
  if (attested > first.attested_at) {
    const reason = `it was attested at ${attested}, after its resolution at ${first.attested_at}`;
    return { ...unscoredAs('late', reason), ...shown };
  }
  const scores = scoresOf(forecast, format, first.outcome);
  return { ...unscoredAs('scored', null), ...shown, ...scores };
}

function scoresOf(forecast: Forecast, format: AnswerFormat, outcome: string): Partial<JudgedForecast> {
  if (forecast.form === 'quantiles') return { quantile_loss: quantileLoss(forecast, outcome) };
  const outcomes = format.asks === 'outcomes' ? format.outcomes : [];
  return {
    binary: isYesNo(outcomes),
    brier: brierScore(forecast, outcomes, outcome),
    log: logScore(forecast, outcome),
  };
}

const unscored = (
  { id, author, challenge, chain }: PublicEtch,
  state: ForecastState,
  reason: string | null,
  forecast: Forecast | null,
): JudgedForecast => ({
  etch_id: id,
  user_id: author.user_id,
  username: author.username,
  challenge_id: challenge?.id ?? null,
  state,
  reason,
  forecast,
  attested_at: chain.anchored_at,
  outcome: null,
  resolution_id: null,
  self_resolved: false,
  binary: null,
  brier: null,
  log: null,
  quantile_loss: null,
  unit: null,
});
