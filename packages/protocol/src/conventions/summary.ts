import { push } from './public-data.ts';
import { WHOLE } from './decimals.ts';
import { levelsOf } from './forecast.ts';
import type { JudgedForecast } from './judge.ts';
import { runToEnd, type TimeSlices } from './time-slices.ts';
import { sum, wilsonInterval } from './score-rules.ts';

export interface Mean {
  n: number;
  /** null without values */
  mean: number | null;
}

/** Over forecasts with one unit and the same levels. */
export interface LossMean extends Mean {
  unit: string | null;
  /** percent, ascending */
  levels: number[];
}

/** Forecasts with similar probabilities of yes, and how often yes was true. */
export interface CalibrationBin {
  /** up to the next bin; the last one includes 1 */
  from: number;
  n: number;
  yes: number;
  mean_forecast: number | null;
  observed: number | null;
  /** Wilson's 95 % */
  interval: [low: number, high: number] | null;
}

export interface Discrimination {
  yes: Mean;
  no: Mean;
  /** null if a mean is missing */
  difference: number | null;
  /** share of pairs with the higher probability for the yes, equal ones half */
  area: number | null;
}

/** brier = reliability − resolution + uncertainty, over groups of equal forecasts. */
export interface MurphyParts {
  n: number;
  groups: number;
  brier: number | null;
  reliability: number | null;
  resolution: number | null;
  uncertainty: number | null;
}

/** docs/conventions.md#scores */
export interface ScoreSummary {
  n: number;
  brier: { binary: Mean; several: Mean };
  log: { binary: Mean; several: Mean };
  /** by unit and levels */
  quantile_loss: LossMean[];
  calibration: CalibrationBin[];
  discrimination: Discrimination;
  murphy: MurphyParts;
}

interface Pair {
  millionths: number;
  yes: boolean;
}

/**
 * `calibration`, `discrimination` and `murphy` cover yes and no only.
 * @example
 * const { n, calibration, brier } = summarizeScores([]);
 * [n, calibration.length, brier.binary.mean]; // [0, 10, null]
 */
export function summarizeScores(judged: readonly JudgedForecast[]): ScoreSummary {
  return runToEnd(summarizeInTimeSlices(judged));
}

export function* summarizeInTimeSlices(judged: readonly JudgedForecast[]): TimeSlices<ScoreSummary> {
  const scored = judged.filter(({ state }) => state === 'scored');
  yield;
  const binary = scored.filter((one) => one.binary === true);
  const several = scored.filter((one) => one.binary === false);
  yield;
  const pairs: Pair[] = [];
  for (const one of binary) {
    pairs.push(pairOf(one));
    yield;
  }
  const means = (score: 'brier' | 'log') => ({
    binary: mean(binary.map((one) => one[score]!)),
    several: mean(several.map((one) => one[score]!)),
  });
  const brier = means('brier');
  yield;
  const log = means('log');
  yield;
  const quantile_loss = lossesOf(scored);
  yield;
  const calibration = calibrationOf(pairs);
  yield;
  const groups = groupsOf(pairs);
  yield;
  return {
    n: scored.length,
    brier,
    log,
    quantile_loss,
    calibration,
    discrimination: discriminationOf(pairs, groups),
    murphy: murphyOf(pairs, groups),
  };
}

function lossesOf(scored: readonly JudgedForecast[]): LossMean[] {
  const groups = new Map<string, number[]>();
  for (const { quantile_loss, unit, forecast } of scored)
    if (quantile_loss !== null && forecast?.form === 'quantiles')
      push(groups, JSON.stringify([unit, levelsOf(forecast)]), quantile_loss);
  return [...groups]
    .map(([key, losses]) => {
      const [unit, levels] = JSON.parse(key) as [string | null, number[]];
      return { unit, levels, ...mean(losses) };
    })
    .sort((a, b) => compareCodePoints(a.unit ?? '', b.unit ?? '') || compareLists(a.levels, b.levels));
}

/** Compares by code point, unlike UTF-16 order. */
function compareCodePoints(one: string, other: string): number {
  const [a, b] = [[...one], [...other]].map((text) => text.map((character) => character.codePointAt(0)!));
  return compareLists(a!, b!);
}

/** A prefix comes first. */
function compareLists(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((level, index) => level !== other[index]);
  return at === -1 ? one.length - other.length : one[at]! - (other[at] ?? -Infinity);
}

function pairOf({ forecast, outcome }: JudgedForecast): Pair {
  const yes =
    forecast?.form === 'outcomes' ? forecast.outcomes.find(({ name }) => name === 'yes') : undefined;
  return { millionths: yes?.millionths ?? 0, yes: outcome === 'yes' };
}

const mean = (values: readonly number[]): Mean => ({
  n: values.length,
  mean: values.length === 0 ? null : sum(values) / values.length,
});

/** Exact, because forecasts are whole millionths. */
const meanForecast = (pairs: readonly Pair[]): number | null =>
  pairs.length === 0 ? null : sum(pairs.map(({ millionths }) => millionths)) / (pairs.length * WHOLE);

const countYes = (pairs: readonly Pair[]): number => pairs.filter(({ yes }) => yes).length;

const BINS = 10;

function calibrationOf(pairs: readonly Pair[]): CalibrationBin[] {
  const bins = Array.from({ length: BINS }, (): Pair[] => []);
  for (const pair of pairs)
    bins[Math.min(BINS - 1, Math.floor((pair.millionths * BINS) / WHOLE))]!.push(pair);
  return bins.map((inside, bin) => {
    const [n, yes] = [inside.length, countYes(inside)];
    return {
      from: bin / BINS,
      n,
      yes,
      mean_forecast: meanForecast(inside),
      observed: n === 0 ? null : yes / n,
      interval: wilsonInterval(yes, n),
    };
  });
}

function discriminationOf(pairs: readonly Pair[], groups: readonly Pair[][]): Discrimination {
  const of = (which: boolean): Mean => {
    const some = pairs.filter(({ yes }) => yes === which);
    return { n: some.length, mean: meanForecast(some) };
  };
  const [yes, no] = [of(true), of(false)];
  if (yes.mean === null || no.mean === null) return { yes, no, difference: null, area: null };
  return { yes, no, difference: yes.mean - no.mean, area: winsOf(groups) / (yes.n * no.n) };
}

function winsOf(groups: readonly Pair[][]): number {
  let wins = 0;
  let below = 0;
  for (const group of groups) {
    const yes = countYes(group);
    wins += yes * (below + (group.length - yes) / 2);
    below += group.length - yes;
  }
  return wins;
}

/** Lowest first. */
function groupsOf(pairs: readonly Pair[]): Pair[][] {
  const groups = new Map<number, Pair[]>();
  for (const pair of pairs) push(groups, pair.millionths, pair);
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function murphyOf(pairs: readonly Pair[], groups: readonly Pair[][]): MurphyParts {
  const n = pairs.length;
  if (n === 0) return { n, groups: 0, brier: null, reliability: null, resolution: null, uncertainty: null };
  const base = countYes(pairs) / n;
  const overGroups = (part: (forecast: number, observed: number) => number) =>
    sum(
      groups.map((group) => {
        const difference = part(group[0]!.millionths / WHOLE, countYes(group) / group.length);
        return group.length * difference * difference;
      }),
    ) / n;
  const errors = pairs.map(({ millionths, yes }) => (millionths - (yes ? WHOLE : 0)) / WHOLE);
  return {
    n,
    groups: groups.length,
    brier: sum(errors.map((error) => error * error)) / n,
    reliability: overGroups((forecast, observed) => forecast - observed),
    resolution: overGroups((_, observed) => observed - base),
    uncertainty: base * (1 - base),
  };
}
