import { FORECAST_STATES, judgeInPortions } from './judge.ts';
import type { Beside, ForecastState, JudgedForecast, PublicData } from './judge.ts';
import { doWhole, sortInPortions } from './portions.ts';
import type { Portions } from './portions.ts';
import { resolveBy } from './resolve.ts';
import type { Resolution } from './resolve.ts';
import { readResolver } from './resolver-record.ts';
import { isTakenDown } from './public-data.ts';
import type { PublicEtch } from './public-data.ts';
import { summarizeInPortions } from './summary.ts';
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
  /** etches that the account retracted: any may have been a forecast */
  retractions: number;
  /** etches of the account that the operator took down: any may have been a forecast */
  takedowns: number;
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
  /** of the account, everywhere */
  takedowns: number;
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
  return doWhole(scoreAccountInPortions(account, data));
}

/**
 * The same in portions: much of it is laid down between them.
 * @example
 * const account = { user_id: '57d62c05-afa3-418c-ab9f-1256350f928d', username: 'ada' };
 * doWhole(scoreAccountInPortions(account, { etches: [], challenges: [] })).counts.forecasts; // 0
 */
export function* scoreAccountInPortions(
  account: AccountScore['account'],
  data: PublicData,
): Portions<AccountScore> {
  const forecasts = yield* judgeInPortions(data, ({ author }) => author.user_id === account.user_id);
  const beside = (data.beside ?? (yield* countBeside(data.etches))).get(account.user_id);
  const states = countStates(forecasts);
  yield;
  const by_others = yield* summarizeInPortions(forecasts.filter((one) => !one.self_resolved));
  const self_resolved = yield* summarizeInPortions(forecasts.filter((one) => one.self_resolved));
  return {
    _format: SCORE_FORMAT,
    account,
    counts: {
      ...states,
      sealed_etches: beside?.sealed ?? 0,
      retractions: beside?.retracted ?? 0,
      takedowns: beside?.takenDown ?? 0,
    },
    scores: { by_others, self_resolved },
    forecasts,
  };
}

/**
 * The standings of a challenge, out of public data alone; null when it is not among the challenges given.
 * @param data the whole records of whoever answered and of the creator, and the challenge
 * @example
 * scoreChallenge('ba2700ee-b11f-45fe-a934-06098975d379', { etches: [], challenges: [] }); // null
 */
export function scoreChallenge(id: string, data: PublicData): ChallengeScore | null {
  return doWhole(scoreChallengeInPortions(id, data));
}

/**
 * The same in portions.
 * @example
 * doWhole(scoreChallengeInPortions('ba2700ee-b11f-45fe-a934-06098975d379', { etches: [], challenges: [] })); // null
 */
export function* scoreChallengeInPortions(id: string, data: PublicData): Portions<ChallengeScore | null> {
  const challenge = data.challenges.find((one) => one.id === id);
  if (challenge === undefined) return null;
  const { question, reveal_at, creator_id } = challenge;
  const answers = yield* judgeInPortions(
    { ...data, challenges: [challenge] },
    (etch) => etch.challenge?.id === id,
  );
  const beside = data.beside ?? (yield* countBeside(data.etches));
  const standings = yield* rank(answers, beside);
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
    scores: yield* summarizeInPortions(answers),
    standings,
  };
}

function* countBeside(etches: readonly PublicEtch[]): Portions<ReadonlyMap<string, Beside>> {
  const beside = new Map<string, Beside>();
  for (const etch of etches) {
    yield;
    const { status, author } = etch;
    if (status === 'revealed') continue;
    const known = beside.get(author.user_id) ?? { sealed: 0, retracted: 0, takenDown: 0 };
    known[isTakenDown(etch) ? 'takenDown' : status]++;
    beside.set(author.user_id, known);
  }
  return beside;
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

/** The lowest Brier score or loss first; then what has none, in the order of attestation. */
function* rank(
  answers: readonly JudgedForecast[],
  beside: ReadonlyMap<string, Beside>,
): Portions<Standing[]> {
  const order = (a: JudgedForecast, b: JudgedForecast) =>
    valueOf(a) === valueOf(b) ? 0 : valueOf(a) - valueOf(b);
  const standings: Standing[] = [];
  for (const [at, one] of (yield* sortInPortions(answers, order)).entries()) {
    yield;
    const before = standings.at(-1);
    const place = before !== undefined && valueOf(before) === valueOf(one) ? before.rank : at + 1;
    standings.push({
      ...one,
      rank: one.state === 'scored' ? place : null,
      retractions: beside.get(one.user_id)?.retracted ?? 0,
      takedowns: beside.get(one.user_id)?.takenDown ?? 0,
    });
  }
  return standings;
}
