import { type ForecastState, FORECAST_STATES } from '@svc/protocol/conventions';
import { Type, type Static } from 'typebox';
import { Count, Time, Username, Uuid, nullable, oneOf, shape } from '../fields.ts';
import { QUESTION_MAX } from './challenge.ts';
import { NumberedPage } from './page.ts';

/** Forecasts, standings or corrections that one answer holds, at most. */
export const SCORE_PAGE_SIZE = 30;

const Num = Type.Number();
const Format = oneOf(['svc-score:v1']);

const states = Object.fromEntries(FORECAST_STATES.map((state) => [state, Count])) as Record<
  ForecastState,
  typeof Count
>;
const counts = {
  forecasts: Type.Integer({
    minimum: 0,
    description: 'All that follow, self_resolved and retractions aside.',
  }),
  ...states,
  self_resolved: Type.Integer({
    minimum: 0,
    description: 'Of the scored ones: resolved by their own author.',
  }),
  retractions: Type.Integer({
    minimum: 0,
    description: 'Every retracted etch of whoever is scored: any may have been a forecast.',
  }),
};

export const ChallengeScoreCounts = shape('ChallengeScoreCounts', counts, 'The denominators.');
export const AccountScoreCounts = shape(
  'AccountScoreCounts',
  {
    ...counts,
    sealed_etches: Type.Integer({ minimum: 0, description: 'Etches still sealed: any may be a forecast.' }),
  },
  'The denominators.',
);

const mean = { n: Count, mean: nullable(Num) };
export const ScoreMean = shape('ScoreMean', mean, 'A mean, and over how many; null over none.');
export const QuantileLossMean = shape('QuantileLossMean', {
  ...mean,
  unit: nullable(Type.String({ description: 'As the question names it.' })),
});
export const ScoreMeans = shape('ScoreMeans', { binary: ScoreMean, several: ScoreMean });

export const CalibrationBin = shape(
  'CalibrationBin',
  {
    from: Type.Number({ description: 'Of this probability of yes or more, below the next bin’s.' }),
    n: Count,
    yes: Count,
    mean_forecast: nullable(Num),
    observed: nullable(Num),
    interval: nullable(Type.Array(Num, { minItems: 2, maxItems: 2, description: 'Wilson’s, 95 %.' })),
  },
  'Forecasts of yes with nearly the same probability, and how often it was yes.',
);

export const Discrimination = shape('Discrimination', {
  yes: ScoreMean,
  no: ScoreMean,
  difference: nullable(Num),
  area: nullable(Num),
});

export const MurphyParts = shape(
  'MurphyParts',
  {
    n: Count,
    groups: Count,
    brier: nullable(Num),
    reliability: nullable(Num),
    resolution: nullable(Num),
    uncertainty: nullable(Num),
  },
  'Brier is reliability minus resolution plus uncertainty.',
);

export const ScoreSummary = shape('ScoreSummary', {
  n: Count,
  brier: ScoreMeans,
  log: ScoreMeans,
  quantile_loss: Type.Array(QuantileLossMean),
  calibration: Type.Array(CalibrationBin, { minItems: 10, maxItems: 10 }),
  discrimination: Discrimination,
  murphy: MurphyParts,
});
export type ScoreSummary = Static<typeof ScoreSummary>;

export const ForecastOutcome = shape('ForecastOutcome', {
  name: Type.String(),
  millionths: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});
export const ForecastQuantile = shape('ForecastQuantile', {
  level: Type.Integer({ minimum: 1, maximum: 99 }),
  value: Type.String(),
});
export const GivenForecast = shape(
  'GivenForecast',
  {
    form: oneOf(['outcomes', 'quantiles']),
    outcomes: Type.Array(ForecastOutcome),
    quantiles: Type.Array(ForecastQuantile),
  },
  'Of what form the forecast is; the other list is empty.',
);

const judged = {
  etch_id: Uuid,
  user_id: Uuid,
  username: Username,
  challenge_id: nullable(Uuid),
  state: oneOf(FORECAST_STATES),
  reason: nullable(Type.String({ description: 'Why it has no score.' })),
  forecast: nullable(GivenForecast),
  attested_at: nullable(Time),
  outcome: nullable(Type.String({ description: 'What came true.' })),
  resolution_id: nullable(Uuid),
  self_resolved: Type.Boolean(),
  binary: nullable(Type.Boolean({ description: 'Of yes and no?' })),
  brier: nullable(Num),
  log: nullable(Num),
  quantile_loss: nullable(Num),
  unit: nullable(Type.String()),
};
export const JudgedForecast = shape('JudgedForecast', judged, 'One forecast, and what became of it.');
export type JudgedForecast = Static<typeof JudgedForecast>;
export const Standing = shape('Standing', {
  ...judged,
  rank: nullable(Type.Integer({ minimum: 1, description: 'Equal scores share it.' })),
  retractions: Type.Integer({ minimum: 0, description: 'Of the account, everywhere.' }),
});
export type Standing = Static<typeof Standing>;

export const StandingResolution = shape('StandingResolution', {
  etch_id: Uuid,
  user_id: Uuid,
  username: Username,
  outcome: Type.String(),
  source: Type.String(),
  attested_at: Time,
});
export const ChallengeResolution = shape('ChallengeResolution', {
  state: oneOf(['resolved', 'void', 'unresolved']),
  reason: nullable(Type.String({ description: 'Why it is unresolved.' })),
  first: nullable(StandingResolution),
  corrections: Type.Array(StandingResolution, {
    maxItems: SCORE_PAGE_SIZE,
    description: 'Later ones, the first of them: they change nothing.',
  }),
  corrections_total: Count,
});

export const ScoredAccount = shape('ScoredAccount', { user_id: Uuid, username: Username });
export const ScoredChallenge = shape('ScoredChallenge', {
  id: Uuid,
  question: Type.String({ maxLength: QUESTION_MAX }),
  reveal_at: Time,
  creator_id: Uuid,
});

export const AccountScores = shape(
  'AccountScores',
  { by_others: ScoreSummary, self_resolved: ScoreSummary },
  'Of forecasts that others resolved, and of those that the account resolved itself.',
);

export const AccountScore = shape('AccountScore', {
  _format: Format,
  account: ScoredAccount,
  counts: AccountScoreCounts,
  scores: AccountScores,
  forecasts: Type.Array(JudgedForecast, { description: 'A page of them, the latest attested first.' }),
  page: NumberedPage,
});
export type AccountScore = Static<typeof AccountScore>;

export const ChallengeScore = shape('ChallengeScore', {
  _format: Format,
  challenge: ScoredChallenge,
  resolution: ChallengeResolution,
  counts: ChallengeScoreCounts,
  scores: ScoreSummary,
  standings: Type.Array(Standing, { description: 'A page of them, the best first.' }),
  page: NumberedPage,
});
export type ChallengeScore = Static<typeof ChallengeScore>;
