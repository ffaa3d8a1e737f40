import { FORECAST_STATES, judgeForecasts } from './judge.ts';
import type { ForecastState, JudgedForecast, PublicData } from './judge.ts';
import { resolveChallenge } from './resolve.ts';
import type { Resolution } from './resolve.ts';
import type { PublicEtch } from './public-data.ts';
import { summarizeScores } from './summary.ts';
import type { ScoreSummary } from './summary.ts';

export const SCORE_FORMAT = 'svc-score:v1';

/** What stands beside every score: how many forecasts there were, and what became of those that have none. */
export type ScoreCounts = Record<ForecastState, number> & {
  /** forecasts that could be read or were answers: the sum of all states, without what is sealed outside challenges */
  forecasts: number;
  /** of those that are scored, how many their own author resolved */
  self_resolved: number;
  /** etches of the account that are still sealed, in challenges and outside: any may be a forecast */
  sealed_etches: number;
  /** etches of the account that were retracted: any may have been a forecast */
  retractions: number;
};

/** An account's track record. */
export interface AccountScore {
  _format: typeof SCORE_FORMAT;
  account: { user_id: string; username: string };
  counts: ScoreCounts;
  /** of forecasts that somebody else resolved, and of those that the account resolved itself; never mixed */
  scores: { by_others: ScoreSummary; self_resolved: ScoreSummary };
  forecasts: JudgedForecast[];
}

/** One account in the standings of a challenge. */
export interface Standing extends JudgedForecast {
  /** 1 is best, equal scores share it; null without a score */
  rank: number | null;
  /** of the account, everywhere */
  retractions: number;
}

/** How a challenge came out. */
export interface ChallengeScore {
  _format: typeof SCORE_FORMAT;
  challenge: { id: string; question: string; reveal_at: string; creator_id: string };
  resolution: Resolution;
  counts: Omit<ScoreCounts, 'sealed_etches'>;
  scores: ScoreSummary;
  standings: Standing[];
}

/**
 * An account's track record, out of public data alone (docs/conventions.md#scores).
 * @param data the account's whole record, the challenges that it answered, and the whole records of their creators
 * @example
 * const account = { user_id: '57d62c05-afa3-418c-ab9f-1256350f928d', username: 'ada' };
 * const { counts, scores } = scoreAccount(account, { etches: [], challenges: [] });
 * [counts.forecasts, counts.retractions, scores.by_others.brier.binary.mean]; // [0, 0, null]
 */
export function scoreAccount(account: AccountScore['account'], data: PublicData): AccountScore {
  const forecasts = judgeForecasts(data).filter(({ user_id }) => user_id === account.user_id);
  const own = data.etches.filter(({ author }) => author.user_id === account.user_id);
  return {
    _format: SCORE_FORMAT,
    account,
    counts: {
      ...countStates(forecasts),
      sealed_etches: countStatus(own, 'sealed'),
      retractions: countStatus(own, 'retracted'),
    },
    scores: {
      by_others: summarizeScores(forecasts.filter((one) => !one.self_resolved)),
      self_resolved: summarizeScores(forecasts.filter((one) => one.self_resolved)),
    },
    forecasts,
  };
}

/**
 * The standings of a challenge, out of public data alone; null when it is not among the challenges given.
 * @param data the whole records of whoever answered and of the creator, and the challenge
 * @example
 * scoreChallenge('ba2700ee-b11f-45fe-a934-06098975d379', { etches: [], challenges: [] }); // null
 */
export function scoreChallenge(id: string, { etches, challenges }: PublicData): ChallengeScore | null {
  const challenge = challenges.find((one) => one.id === id);
  if (challenge === undefined) return null;
  const answers = judgeForecasts({ etches, challenges: [challenge] }).filter(
    ({ challenge_id }) => challenge_id === id,
  );
  const taken = new Map<string, number>();
  for (const { status, author } of etches)
    if (status === 'retracted') taken.set(author.user_id, (taken.get(author.user_id) ?? 0) + 1);
  const standings = rank(answers).map((answer) => ({
    ...answer,
    retractions: taken.get(answer.user_id) ?? 0,
  }));
  const { question, reveal_at, creator_id } = challenge;
  return {
    _format: SCORE_FORMAT,
    challenge: { id, question, reveal_at, creator_id },
    resolution: resolveChallenge(challenge, etches),
    counts: {
      ...countStates(answers),
      retractions: standings.reduce((total, { retractions }) => total + retractions, 0),
    },
    scores: summarizeScores(answers),
    standings,
  };
}

const countStatus = (etches: readonly PublicEtch[], status: PublicEtch['status']): number =>
  etches.filter((etch) => etch.status === status).length;

function countStates(judged: readonly JudgedForecast[]) {
  const of = (state: ForecastState) => judged.filter((one) => one.state === state).length;
  return {
    forecasts: judged.length,
    ...(Object.fromEntries(FORECAST_STATES.map((state) => [state, of(state)])) as Record<
      ForecastState,
      number
    >),
    self_resolved: judged.filter((one) => one.state === 'scored' && one.self_resolved).length,
  };
}

/** The lowest Brier score or loss first; then what has none, in the order of attestation. */
function rank(answers: readonly JudgedForecast[]): (JudgedForecast & { rank: number | null })[] {
  const valueOf = ({ brier, quantile_loss }: JudgedForecast) => brier ?? quantile_loss ?? Infinity;
  const sorted = [...answers].sort((a, b) => (valueOf(a) === valueOf(b) ? 0 : valueOf(a) - valueOf(b)));
  return sorted.map((one) => ({
    ...one,
    rank: one.state === 'scored' ? sorted.findIndex((other) => valueOf(other) === valueOf(one)) + 1 : null,
  }));
}
