import { type ForecastState, FORECAST_STATES, SCORE_FORMAT } from '@svc/protocol/conventions';
import { Type, type Static } from 'typebox';
import { Count, Time, Username, Uuid, flag, listOf, nullable, oneOf, shape, text, doc } from '../fields.ts';
import { QUESTION_MAX } from './challenge.ts';
import { NumberedPage } from './page.ts';

export const SCORE_PAGE_SIZE = 30;

const num = (description: string) => nullable(Type.Number(), `${description} Null if there are none.`);
const userId = doc(Uuid, "The account's id.");
const username = doc(Username, "The account's username.");
const Format = oneOf([SCORE_FORMAT], 'What this answer is.');

const STATE_TEXTS: Readonly<Record<ForecastState, string>> = {
  scored: 'Forecasts that have a score.',
  late: 'Forecasts that were attested after their challenge closed or after they were resolved.',
  malformed:
    'Answers that do not forecast what the question asks, and texts that only begin like a forecast.',
  void: 'Forecasts resolved as void.',
  unresolved: 'Forecasts without a valid resolution.',
  pending: 'Forecasts that are not attested yet.',
  sealed: 'Sealed answers.',
  retracted: 'Answers that their authors retracted.',
  taken_down: 'Answers that the operator took down.',
};

const states = Object.fromEntries(
  FORECAST_STATES.map((state) => [state, doc(Count, STATE_TEXTS[state])]),
) as Record<ForecastState, typeof Count>;
const counts = {
  forecasts: doc(Count, 'The sum of the fields below, except self_resolved, retractions and takedowns.'),
  ...states,
  self_resolved: doc(Count, 'Scored forecasts that their own author resolved.'),
  retractions: doc(Count, 'All etches that a scored account retracted: each may have been a forecast.'),
  takedowns: doc(
    Count,
    'All etches of a scored account that the operator took down: each may have been a forecast.',
  ),
};

export const ChallengeScoreCounts = shape('ChallengeScoreCounts', 'The denominators.', counts);
export const AccountScoreCounts = shape('AccountScoreCounts', 'The denominators.', {
  ...counts,
  sealed_etches: doc(Count, 'Sealed etches: each may be a forecast.'),
});

const mean = { n: doc(Count, 'The number of forecasts.'), mean: num('The mean.') };
export const ScoreMean = shape(
  'ScoreMean',
  'A mean and the number of forecasts; null if there are none.',
  mean,
);
export const QuantileLossMean = shape(
  'QuantileLossMean',
  'A mean loss of forecasts in one unit with the same quantile levels.',
  {
    ...mean,
    unit: nullable(Type.String(), 'The unit in the question, or null.'),
    levels: listOf(Type.Integer({ minimum: 1, maximum: 99 }), 'The quantile levels, in percent, ascending.'),
  },
);
export const ScoreMeans = shape(
  'ScoreMeans',
  'Means for yes/no questions and for questions with several outcomes. The two cannot be compared.',
  { binary: ScoreMean, several: ScoreMean },
);

export const CalibrationBin = shape(
  'CalibrationBin',
  'Forecasts with nearly the same probability of yes, and how often the outcome was yes.',
  {
    from: Type.Number({ description: 'The lower bound of the bin: a probability of yes.' }),
    n: doc(Count, 'Forecasts in the bin.'),
    yes: doc(Count, 'Forecasts in the bin whose outcome was yes.'),
    mean_forecast: num('Their mean probability.'),
    observed: num('The share whose outcome was yes.'),
    interval: nullable(
      Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
      'Bounds of that share: Wilson’s interval, 95 %. Null for an empty bin.',
    ),
  },
);

export const Discrimination = shape(
  'Discrimination',
  'The difference between the mean probability given to what came true and to what did not.',
  {
    yes: ScoreMean,
    no: ScoreMean,
    difference: num('The first mean minus the second.'),
    area: num('How often the yes of a pair of yes and no had the higher probability; ties count half.'),
  },
);

export const MurphyParts = shape(
  'MurphyParts',
  'The Brier score is reliability minus resolution plus uncertainty.',
  {
    n: doc(Count, 'The number of forecasts.'),
    groups: doc(Count, 'The number of groups of equal forecasts.'),
    brier: num('The mean Brier score.'),
    reliability: num('How far the groups are from the outcomes; lower is better.'),
    resolution: num('How far the groups are apart; higher is better.'),
    uncertainty: num('The spread of the outcomes. No forecaster can change it.'),
  },
);

export const ScoreSummary = shape(
  'ScoreSummary',
  'Means over forecasts, each with the number of forecasts.',
  {
    n: doc(Count, 'Forecasts with a score.'),
    brier: ScoreMeans,
    log: ScoreMeans,
    quantile_loss: listOf(QuantileLossMean, 'The quantile losses, by unit and quantile levels.'),
    calibration: Type.Array(CalibrationBin, {
      minItems: 10,
      maxItems: 10,
      description: 'Ten bins of probability.',
    }),
    discrimination: Discrimination,
    murphy: MurphyParts,
  },
);
export type ScoreSummary = Static<typeof ScoreSummary>;

export const ForecastOutcome = shape('ForecastOutcome', 'An outcome and its probability.', {
  name: text('The outcome.'),
  millionths: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'Its probability in millionths.',
  }),
});
export const ForecastQuantile = shape('ForecastQuantile', 'A quantile of the forecast.', {
  level: Type.Integer({ minimum: 1, maximum: 99, description: 'The level, in percent.' }),
  value: text('The value, as a decimal number.'),
});
export const GivenForecast = shape('GivenForecast', 'The forecast. The unused list is empty.', {
  form: oneOf(['outcomes', 'quantiles'], 'Which of the two lists is used.'),
  outcomes: listOf(ForecastOutcome, 'Outcomes with their probabilities.'),
  quantiles: listOf(ForecastQuantile, 'Quantiles, ascending by level.'),
});

const judged = {
  etch_id: doc(Uuid, 'Its etch.'),
  user_id: userId,
  username,
  challenge_id: nullable(Uuid, 'The challenge that it answers, or null.'),
  state: oneOf(FORECAST_STATES, 'Its status.'),
  reason: nullable(Type.String(), 'Why it has no score; null if it has one.'),
  forecast: nullable(GivenForecast, 'The forecast; null if it cannot be read.'),
  attested_at: nullable(Time, 'When it was attested on the chain; null until then.'),
  outcome: nullable(Type.String(), 'The outcome; null until it is resolved.'),
  resolution_id: nullable(Uuid, 'The etch that resolved it, or null.'),
  self_resolved: flag('Was it resolved by its own author?'),
  binary: nullable(Type.Boolean(), 'Is it a yes/no forecast? Null without a score and for quantiles.'),
  brier: nullable(Type.Number(), 'Its Brier score; null without one.'),
  log: nullable(Type.Number(), 'Its logarithmic score; null without one.'),
  quantile_loss: nullable(Type.Number(), 'Its quantile loss; null without one.'),
  unit: nullable(Type.String(), 'The unit of its quantiles; null without one.'),
};
export const JudgedForecast = shape('JudgedForecast', 'A forecast and its result.', judged);
export type JudgedForecast = Static<typeof JudgedForecast>;
export const Standing = shape('Standing', 'An answer to a challenge and its result.', {
  ...judged,
  rank: nullable(Type.Integer({ minimum: 1 }), 'The rank. Equal scores share a rank; null without a score.'),
  retractions: doc(Count, 'Etches that the account retracted, in all challenges and outside.'),
  takedowns: doc(Count, 'Etches of the account that the operator took down, in all challenges and outside.'),
});

export const StandingResolution = shape('StandingResolution', 'A resolution of the question.', {
  etch_id: doc(Uuid, 'Its etch.'),
  user_id: userId,
  username,
  outcome: text('The stated outcome.'),
  source: text('The source for the outcome.'),
  attested_at: doc(Time, 'When it was attested on the chain.'),
});
export const TakenDownResolution = shape(
  'TakenDownResolution',
  'A resolution that the operator took down. Its outcome is erased.',
  {
    etch_id: doc(Uuid, 'Its etch.'),
    attested_at: doc(Time, 'When it was attested on the chain.'),
  },
);
export const ChallengeResolution = shape('ChallengeResolution', 'How a question was resolved.', {
  state: oneOf(['resolved', 'void', 'unresolved'], 'The state of the question.'),
  reason: nullable(Type.String(), 'Why it is unresolved; null if it is resolved.'),
  first: nullable(StandingResolution, 'The first resolution, which decides, or null.'),
  corrections: Type.Array(StandingResolution, {
    maxItems: SCORE_PAGE_SIZE,
    description: 'The first of the later resolutions. They change nothing.',
  }),
  corrections_total: doc(Count, 'Their total number.'),
  taken_down: Type.Array(TakenDownResolution, {
    maxItems: SCORE_PAGE_SIZE,
    description: 'The first of the resolutions that the operator took down. They are skipped.',
  }),
  taken_down_total: doc(Count, 'Their total number.'),
});

export const ScoredAccount = shape('ScoredAccount', 'The account whose forecasts are scored.', {
  user_id: userId,
  username,
});
export const ScoredChallenge = shape('ScoredChallenge', 'The challenge whose answers are scored.', {
  id: doc(Uuid, "The challenge's id."),
  question: Type.String({ maxLength: QUESTION_MAX, description: 'The question.' }),
  reveal_at: doc(Time, 'When it closes.'),
  creator_id: doc(Uuid, "The creator of the challenge. Only the creator's resolutions count."),
});

export const AccountScores = shape(
  'AccountScores',
  'Separate scores for forecasts that others resolved and that the account resolved itself.',
  { by_others: ScoreSummary, self_resolved: ScoreSummary },
);

export const AccountScore = shape('AccountScore', "Scores of an account's forecasts.", {
  _format: Format,
  account: ScoredAccount,
  counts: AccountScoreCounts,
  scores: AccountScores,
  forecasts: listOf(JudgedForecast, 'A page of the forecasts, newest attestation first.'),
  page: NumberedPage,
});
export type AccountScore = Static<typeof AccountScore>;

export const ChallengeScore = shape('ChallengeScore', 'Scores of the answers to a challenge.', {
  _format: Format,
  challenge: ScoredChallenge,
  resolution: ChallengeResolution,
  counts: ChallengeScoreCounts,
  scores: ScoreSummary,
  standings: listOf(Standing, 'A page of the answers, best first.'),
  page: NumberedPage,
});
export type ChallengeScore = Static<typeof ChallengeScore>;
