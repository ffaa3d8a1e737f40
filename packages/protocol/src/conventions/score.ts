import {
  type UnscoredCounts,
  FORECAST_STATES,
  type ForecastState,
  type JudgedForecast,
  judgeInTimeSlices,
  type PublicData,
} from './judge.ts';
import { runToEnd, sortInTimeSlices, type TimeSlices } from './time-slices.ts';
import { readResolver, type Resolution, resolveBy } from './resolve.ts';
import { isEtchTakenDown, type PublicEtch } from './public-data.ts';
import { type ScoreSummary, summarizeInTimeSlices } from './summary.ts';

export const SCORE_FORMAT = 'svc-score:v1';

export type ScoreCounts = Record<ForecastState, number> & {
  /** sum of all states */
  forecasts: number;
  /** resolved by the author of the forecast */
  self_resolved: number;
  /** may be forecasts */
  sealed_etches: number;
  /** by the author; may have been forecasts */
  retractions: number;
  /** taken down; may have been forecasts */
  takedowns: number;
};

export interface AccountScore {
  _format: typeof SCORE_FORMAT;
  account: { user_id: string; username: string };
  counts: ScoreCounts;
  /** never mixed */
  scores: { by_others: ScoreSummary; self_resolved: ScoreSummary };
  forecasts: JudgedForecast[];
}

/** The score of several accounts of one author together. */
export type ScopeScore = Omit<AccountScore, 'account'> & { accounts: AccountScore['account'][] };

export interface Standing extends JudgedForecast {
  /** equal scores share a rank; null without a score */
  rank: number | null;
  /** in the whole record */
  retractions: number;
  /** in the whole record */
  takedowns: number;
}

export interface ChallengeScore {
  _format: typeof SCORE_FORMAT;
  challenge: { id: string; question: string; reveal_at: string; creator_id: string };
  resolution: Resolution;
  counts: Omit<ScoreCounts, 'sealed_etches'>;
  scores: ScoreSummary;
  standings: Standing[];
}

/**
 * docs/conventions.md#scores
 * @param data the account's whole record, the challenges it answered, and the whole records of their creators
 * @example
 * const account = { user_id: '57d62c05-afa3-418c-ab9f-1256350f928d', username: 'ada' };
 * const { counts, scores } = scoreAccount(account, { etches: [], challenges: [] });
 * [counts.forecasts, counts.retractions, scores.by_others.brier.binary.mean]; // [0, 0, null]
 */
export function scoreAccount(account: AccountScore['account'], data: PublicData): AccountScore {
  return runToEnd(scoreAccountInTimeSlices(account, data));
}

/**
 * @example
 * const account = { user_id: '57d62c05-afa3-418c-ab9f-1256350f928d', username: 'ada' };
 * runToEnd(scoreAccountInTimeSlices(account, { etches: [], challenges: [] })).counts.forecasts; // 0
 */
export function* scoreAccountInTimeSlices(
  account: AccountScore['account'],
  data: PublicData,
): TimeSlices<AccountScore> {
  const forecasts = yield* judgeInTimeSlices(data, ({ author }) => author.user_id === account.user_id);
  const unscored = data.unscored ?? (yield* countUnscored(data.etches));
  return { _format: SCORE_FORMAT, account, ...(yield* scoreJudged(forecasts, [account], unscored)) };
}

/**
 * A forecast that one of the accounts resolved is self-resolved (docs/conventions.md#declared-completeness).
 * @param data as `scoreAccount`, for every account
 * @example
 * const account = { user_id: '57d62c05-afa3-418c-ab9f-1256350f928d', username: 'ada' };
 * scoreScope([account], { etches: [], challenges: [] }).counts.forecasts; // 0
 */
export function scoreScope(accounts: AccountScore['account'][], data: PublicData): ScopeScore {
  const ids = new Set(accounts.map(({ user_id }) => user_id));
  const own = new Set(data.etches.filter(({ author }) => ids.has(author.user_id)).map(({ id }) => id));
  const judged = runToEnd(judgeInTimeSlices(data, ({ id }) => own.has(id)));
  const forecasts = judged.map((one) => ({ ...one, self_resolved: own.has(one.resolution_id ?? '') }));
  const unscored = data.unscored ?? runToEnd(countUnscored(data.etches));
  return { _format: SCORE_FORMAT, accounts, ...runToEnd(scoreJudged(forecasts, accounts, unscored)) };
}

function* scoreJudged(
  forecasts: JudgedForecast[],
  accounts: readonly AccountScore['account'][],
  unscored: ReadonlyMap<string, UnscoredCounts>,
): TimeSlices<Omit<AccountScore, '_format' | 'account'>> {
  const states = countStates(forecasts);
  yield;
  const by_others = yield* summarizeInTimeSlices(forecasts.filter((one) => !one.self_resolved));
  const self_resolved = yield* summarizeInTimeSlices(forecasts.filter((one) => one.self_resolved));
  const total = (of: keyof UnscoredCounts) =>
    accounts.reduce((sum, { user_id }) => sum + (unscored.get(user_id)?.[of] ?? 0), 0);
  return {
    counts: {
      ...states,
      sealed_etches: total('sealed'),
      retractions: total('retracted'),
      takedowns: total('takenDown'),
    },
    scores: { by_others, self_resolved },
    forecasts,
  };
}

/**
 * Null when `data` lacks the challenge.
 * @param data the challenge, and the whole records of its creator and of all who answered
 * @example
 * scoreChallenge('ba2700ee-b11f-45fe-a934-06098975d379', { etches: [], challenges: [] }); // null
 */
export function scoreChallenge(id: string, data: PublicData): ChallengeScore | null {
  return runToEnd(scoreChallengeInTimeSlices(id, data));
}

/**
 * @example
 * runToEnd(scoreChallengeInTimeSlices('ba2700ee-b11f-45fe-a934-06098975d379', { etches: [], challenges: [] })); // null
 */
export function* scoreChallengeInTimeSlices(id: string, data: PublicData): TimeSlices<ChallengeScore | null> {
  const challenge = data.challenges.find((one) => one.id === id);
  if (challenge === undefined) return null;
  const { question, reveal_at, creator_id } = challenge;
  const answers = yield* judgeInTimeSlices(
    { ...data, challenges: [challenge] },
    (etch) => etch.challenge?.id === id,
  );
  const unscored = data.unscored ?? (yield* countUnscored(data.etches));
  const standings = yield* rank(answers, unscored);
  const states = countStates(answers);
  yield;
  const creator = yield* readResolver(data.etches.filter(({ author }) => author.user_id === creator_id));
  return {
    _format: SCORE_FORMAT,
    challenge: { id, question, reveal_at, creator_id },
    resolution: resolveBy(challenge, creator),
    counts: {
      ...states,
      retractions: standings.reduce((total, { retractions }) => total + retractions, 0),
      takedowns: standings.reduce((total, { takedowns }) => total + takedowns, 0),
    },
    scores: yield* summarizeInTimeSlices(answers),
    standings,
  };
}

function* countUnscored(etches: readonly PublicEtch[]): TimeSlices<ReadonlyMap<string, UnscoredCounts>> {
  const unscored = new Map<string, UnscoredCounts>();
  for (const etch of etches) {
    yield;
    const { status, author } = etch;
    if (status === 'revealed') continue;
    const known = unscored.get(author.user_id) ?? { sealed: 0, retracted: 0, takenDown: 0 };
    known[isEtchTakenDown(etch) ? 'takenDown' : status]++;
    unscored.set(author.user_id, known);
  }
  return unscored;
}

function countStates(judged: readonly JudgedForecast[]) {
  const states = Object.fromEntries(FORECAST_STATES.map((state) => [state, 0])) as Record<
    ForecastState,
    number
  >;
  for (const { state } of judged) states[state]++;
  return {
    forecasts: judged.length,
    ...states,
    self_resolved: judged.filter((one) => one.state === 'scored' && one.self_resolved).length,
  };
}

const valueOf = ({ brier, quantile_loss }: JudgedForecast): number => brier ?? quantile_loss ?? Infinity;

/** The lowest score first, then answers without a score. */
function* rank(
  answers: readonly JudgedForecast[],
  unscored: ReadonlyMap<string, UnscoredCounts>,
): TimeSlices<Standing[]> {
  const order = (a: JudgedForecast, b: JudgedForecast) =>
    valueOf(a) === valueOf(b) ? 0 : valueOf(a) - valueOf(b);
  const standings: Standing[] = [];
  for (const [at, one] of (yield* sortInTimeSlices(answers, order)).entries()) {
    yield;
    const before = standings.at(-1);
    const place = before !== undefined && valueOf(before) === valueOf(one) ? before.rank : at + 1;
    standings.push({
      ...one,
      rank: one.state === 'scored' ? place : null,
      retractions: unscored.get(one.user_id)?.retracted ?? 0,
      takedowns: unscored.get(one.user_id)?.takenDown ?? 0,
    });
  }
  return standings;
}
