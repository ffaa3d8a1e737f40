import { type ForecastState, FORECAST_STATES, SCORE_FORMAT } from '@svc/protocol/conventions';
import { Type, type Static } from 'typebox';
import { Count, Time, Username, Uuid, nullable, oneOf, shape, told } from '../fields.ts';
import { QUESTION_MAX } from './challenge.ts';
import { NumberedPage } from './page.ts';

/** Forecasts, standings or corrections in one answer. */
export const SCORE_PAGE_SIZE = 30;

const num = (description: string) => nullable(Type.Number(), `${description} Null over none.`);
const userId = told(Uuid, "The account's id.");
const username = told(Username, "The account's username.");
const Format = oneOf([SCORE_FORMAT], 'What this answer is.');

const STATE_TEXTS: Readonly<Record<ForecastState, string>> = {
  scored: 'Forecasts that have a score.',
  late: 'Forecasts attested after their challenge closed, or after they were resolved.',
  malformed: 'Answers that are no forecast of what is asked, and texts that only begin as one.',
  void: 'Forecasts resolved as void.',
  unresolved: 'Forecasts without a resolution that counts.',
  pending: 'Forecasts not attested yet.',
  sealed: 'Answers still sealed.',
  retracted: 'Answers that their author retracted.',
  taken_down: 'Answers that the operator took down.',
};

const states = Object.fromEntries(
  FORECAST_STATES.map((state) => [state, told(Count, STATE_TEXTS[state])]),
) as Record<ForecastState, typeof Count>;
const counts = {
  forecasts: Type.Integer({
    minimum: 0,
    description: 'All that follow, self_resolved, retractions and takedowns aside.',
  }),
  ...states,
  self_resolved: Type.Integer({
    minimum: 0,
    description: 'Of the scored ones: resolved by their own author.',
  }),
  retractions: Type.Integer({
    minimum: 0,
    description: 'Every etch that a scored account retracted: any may have been a forecast.',
  }),
  takedowns: Type.Integer({
    minimum: 0,
    description: 'Every etch of a scored account that the operator took down: any may have been a forecast.',
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

const mean = { n: told(Count, 'Over how many forecasts.'), mean: num('The mean.') };
export const ScoreMean = shape('ScoreMean', mean, 'A mean, and over how many; null over none.');
export const QuantileLossMean = shape(
  'QuantileLossMean',
  {
    ...mean,
    unit: nullable(Type.String(), 'As the question names it; null when it names none.'),
    levels: Type.Array(Type.Integer({ minimum: 1, maximum: 99 }), {
      description: 'The quantile levels, in percent, ascending.',
    }),
  },
  'A mean loss of forecasts in one unit with the same quantile levels.',
);
export const ScoreMeans = shape(
  'ScoreMeans',
  { binary: ScoreMean, several: ScoreMean },
  'Of questions of yes and no, and of those with several outcomes: the two cannot be compared.',
);

export const CalibrationBin = shape(
  'CalibrationBin',
  {
    from: Type.Number({ description: 'Of this probability of yes or more, below the next bin’s.' }),
    n: told(Count, 'Forecasts in it.'),
    yes: told(Count, 'Those of them that came out yes.'),
    mean_forecast: num('The mean probability they gave.'),
    observed: num('The share of them that came out yes.'),
    interval: nullable(
      Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
      'Bounds of that share: Wilson’s interval, 95 %. Null over none.',
    ),
  },
  'Forecasts of yes with nearly the same probability, and how often it was yes.',
);

export const Discrimination = shape(
  'Discrimination',
  {
    yes: ScoreMean,
    no: ScoreMean,
    difference: num('The first mean minus the second.'),
    area: num('How often, of a yes and a no, the yes had the higher probability; equal ones count half.'),
  },
  'How far forecasts of what came true lie above those of what did not: the mean probability of each.',
);

export const MurphyParts = shape(
  'MurphyParts',
  {
    n: told(Count, 'Over how many forecasts.'),
    groups: told(Count, 'Groups of equal forecasts among them.'),
    brier: num('The mean Brier score.'),
    reliability: num('How far the groups lie from what came true; less is better.'),
    resolution: num('How far the groups lie apart; more is better.'),
    uncertainty: num('What the questions were like; nobody has a hand in it.'),
  },
  'Brier is reliability minus resolution plus uncertainty.',
);

export const ScoreSummary = shape(
  'ScoreSummary',
  {
    n: told(Count, 'Forecasts with a score.'),
    brier: ScoreMeans,
    log: ScoreMeans,
    quantile_loss: Type.Array(QuantileLossMean, {
      description: 'The quantile losses, by unit and quantile levels.',
    }),
    calibration: Type.Array(CalibrationBin, {
      minItems: 10,
      maxItems: 10,
      description: 'Ten bins of probability.',
    }),
    discrimination: Discrimination,
    murphy: MurphyParts,
  },
  'Means over forecasts, each with its number.',
);
export type ScoreSummary = Static<typeof ScoreSummary>;

export const ForecastOutcome = shape(
  'ForecastOutcome',
  {
    name: Type.String({ description: 'The outcome.' }),
    millionths: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Its probability in millionths.',
    }),
  },
  'An outcome and its probability.',
);
export const ForecastQuantile = shape(
  'ForecastQuantile',
  {
    level: Type.Integer({ minimum: 1, maximum: 99, description: 'The level, in percent.' }),
    value: Type.String({ description: 'The value, as a decimal number.' }),
  },
  'A quantile of what is forecast.',
);
export const GivenForecast = shape(
  'GivenForecast',
  {
    form: oneOf(['outcomes', 'quantiles'], 'Which of the two lists it is.'),
    outcomes: Type.Array(ForecastOutcome, { description: 'Outcomes with their probabilities.' }),
    quantiles: Type.Array(ForecastQuantile, { description: 'Quantiles, by rising level.' }),
  },
  'Of what form the forecast is; the other list is empty.',
);

const judged = {
  etch_id: told(Uuid, 'The etch that holds it.'),
  user_id: userId,
  username,
  challenge_id: nullable(Uuid, 'The challenge that it answers; null without one.'),
  state: oneOf(FORECAST_STATES, 'What became of it.'),
  reason: nullable(Type.String(), 'Why it has no score; null when it has one.'),
  forecast: nullable(GivenForecast, 'What it says; null when it cannot be read.'),
  attested_at: nullable(Time, 'When it was attested on the chain; null until then.'),
  outcome: nullable(Type.String(), 'What came true; null as long as nothing did.'),
  resolution_id: nullable(Uuid, 'The etch that resolved it; null without one.'),
  self_resolved: Type.Boolean({ description: 'Was it resolved by its own author?' }),
  binary: nullable(Type.Boolean(), 'Is it of yes and no? Null without a score, and of quantiles.'),
  brier: nullable(Type.Number(), 'Its Brier score; null without one.'),
  log: nullable(Type.Number(), 'Its logarithmic score; null without one.'),
  quantile_loss: nullable(Type.Number(), 'Its quantile loss; null without one.'),
  unit: nullable(Type.String(), 'The unit of its quantiles; null without one.'),
};
export const JudgedForecast = shape('JudgedForecast', judged, 'One forecast, and what became of it.');
export type JudgedForecast = Static<typeof JudgedForecast>;
export const Standing = shape(
  'Standing',
  {
    ...judged,
    rank: nullable(Type.Integer({ minimum: 1 }), 'Equal scores share it; null without a score.'),
    retractions: told(Count, 'Etches that the account retracted, everywhere.'),
    takedowns: told(Count, 'Etches of the account that the operator took down, everywhere.'),
  },
  'An answer to a challenge, and how it came out.',
);
export type Standing = Static<typeof Standing>;

export const StandingResolution = shape(
  'StandingResolution',
  {
    etch_id: told(Uuid, 'The etch that holds it.'),
    user_id: userId,
    username,
    outcome: Type.String({ description: 'What it says came true.' }),
    source: Type.String({ description: 'Where that can be read.' }),
    attested_at: told(Time, 'When it was attested on the chain.'),
  },
  'A resolution of the question.',
);
export const TakenDownResolution = shape(
  'TakenDownResolution',
  {
    etch_id: told(Uuid, 'The etch that held it.'),
    attested_at: told(Time, 'When it was attested on the chain.'),
  },
  'A resolution that the operator took down: its outcome is erased.',
);
export const ChallengeResolution = shape(
  'ChallengeResolution',
  {
    state: oneOf(['resolved', 'void', 'unresolved'], 'How the question stands.'),
    reason: nullable(Type.String(), 'Why it is unresolved; null when it is not.'),
    first: nullable(StandingResolution, 'The first resolution, which counts; null without one.'),
    corrections: Type.Array(StandingResolution, {
      maxItems: SCORE_PAGE_SIZE,
      description: 'Later ones, the first of them: they change nothing.',
    }),
    corrections_total: told(Count, 'How many there are in all.'),
    taken_down: Type.Array(TakenDownResolution, {
      maxItems: SCORE_PAGE_SIZE,
      description: 'Resolutions that the operator took down, the first of them: they are passed over.',
    }),
    taken_down_total: told(Count, 'How many there are in all.'),
  },
  'How a question was resolved.',
);

export const ScoredAccount = shape(
  'ScoredAccount',
  { user_id: userId, username },
  'Whose forecasts are scored.',
);
export const ScoredChallenge = shape(
  'ScoredChallenge',
  {
    id: told(Uuid, "The challenge's id."),
    question: Type.String({ maxLength: QUESTION_MAX, description: 'What it asks.' }),
    reveal_at: told(Time, 'When it closes.'),
    creator_id: told(Uuid, 'The account that asked, whose resolutions alone count.'),
  },
  'The challenge whose answers are scored.',
);

export const AccountScores = shape(
  'AccountScores',
  { by_others: ScoreSummary, self_resolved: ScoreSummary },
  'Of forecasts that others resolved, and of those that the account resolved itself.',
);

export const AccountScore = shape(
  'AccountScore',
  {
    _format: Format,
    account: ScoredAccount,
    counts: AccountScoreCounts,
    scores: AccountScores,
    forecasts: Type.Array(JudgedForecast, { description: 'A page of them, the latest attested first.' }),
    page: NumberedPage,
  },
  'What the forecasts of an account came to.',
);
export type AccountScore = Static<typeof AccountScore>;

export const ChallengeScore = shape(
  'ChallengeScore',
  {
    _format: Format,
    challenge: ScoredChallenge,
    resolution: ChallengeResolution,
    counts: ChallengeScoreCounts,
    scores: ScoreSummary,
    standings: Type.Array(Standing, { description: 'A page of them, the best first.' }),
    page: NumberedPage,
  },
  'How the answers to a challenge came out.',
);
export type ChallengeScore = Static<typeof ChallengeScore>;
