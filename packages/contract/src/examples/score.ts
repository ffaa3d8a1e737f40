import { FORECAST_STATES, type ForecastState } from '@svc/protocol/conventions';
import type { AccountScore, ChallengeScore, JudgedForecast, ScoreSummary } from '../resources/score.ts';
import { numberedPage } from './challenge.ts';
import * as world from './shared-values.ts';

const resolutionId = '0b7d94c6-5e12-4f8a-9a3c-d1e6f2087b45';

const judged: JudgedForecast = {
  etch_id: world.etchId,
  user_id: world.adaId,
  username: 'ada',
  challenge_id: world.challengeId,
  state: 'scored',
  reason: null,
  forecast: {
    form: 'outcomes',
    outcomes: [
      { name: 'yes', millionths: 750_000 },
      { name: 'no', millionths: 250_000 },
    ],
    quantiles: [],
  },
  attested_at: world.anchoredAt,
  outcome: 'yes',
  resolution_id: resolutionId,
  self_resolved: false,
  binary: true,
  brier: 0.0625,
  log: 0.2876820724517809,
  quantile_loss: null,
  unit: null,
};

const none = { n: 0, mean: null };
const empty: ScoreSummary = {
  n: 0,
  brier: { binary: none, several: none },
  log: { binary: none, several: none },
  quantile_loss: [],
  calibration: Array.from({ length: 10 }, (_, bin) => ({
    from: bin / 10,
    n: 0,
    yes: 0,
    mean_forecast: null,
    observed: null,
    interval: null,
  })),
  discrimination: { yes: none, no: none, difference: null, area: null },
  murphy: { n: 0, groups: 0, brier: null, reliability: null, resolution: null, uncertainty: null },
};
const one: ScoreSummary = {
  ...empty,
  n: 1,
  brier: { binary: { n: 1, mean: 0.0625 }, several: none },
  log: { binary: { n: 1, mean: 0.2876820724517809 }, several: none },
  calibration: empty.calibration.map((bin) =>
    bin.from === 0.7
      ? { from: 0.7, n: 1, yes: 1, mean_forecast: 0.75, observed: 1, interval: [0.20654931437723745, 1] }
      : bin,
  ),
  discrimination: { yes: { n: 1, mean: 0.75 }, no: none, difference: null, area: null },
  murphy: { n: 1, groups: 1, brier: 0.0625, reliability: 0.0625, resolution: 0, uncertainty: 0 },
};

const states = Object.fromEntries(FORECAST_STATES.map((state) => [state, 0])) as Record<
  ForecastState,
  number
>;
const counts = { forecasts: 1, ...states, scored: 1, self_resolved: 0, retractions: 1, takedowns: 0 };

export const accountScore: AccountScore = {
  _format: 'svc-score:v1',
  account: { user_id: world.adaId, username: 'ada' },
  counts: { ...counts, sealed_etches: 1 },
  scores: { by_others: one, self_resolved: empty },
  forecasts: [judged],
  page: numberedPage,
};

export const challengeScore: ChallengeScore = {
  _format: 'svc-score:v1',
  challenge: {
    id: world.challengeId,
    question: 'Does the lighthouse shine before March? [yes|no]',
    reveal_at: '2026-03-01T12:00:00.000Z',
    creator_id: world.botId,
  },
  resolution: {
    state: 'resolved',
    reason: null,
    first: {
      etch_id: resolutionId,
      user_id: world.botId,
      username: 'agent_eb3102a6cb58',
      outcome: 'yes',
      source: 'https://harbour.example.org/log',
      attested_at: '2026-03-01T12:05:00.000Z',
    },
    corrections: [],
    corrections_total: 0,
    taken_down: [],
    taken_down_total: 0,
  },
  counts,
  scores: one,
  standings: [{ ...judged, rank: 1, retractions: 1, takedowns: 0 }],
  page: numberedPage,
};
