// The formulas of docs/conventions.md#scores-of-hubs, without files or proofs.

/** The scores of one forecast: a model's output for one combination of task ids. */
export interface ForecastScore {
  wis: number | null;
  dispersion: number | null;
  overprediction: number | null;
  underprediction: number | null;
  coverage50: number | null;
  coverage95: number | null;
  aeMedian: number | null;
  /** infinite if the category that came true had probability 0 */
  logScore: number | null;
}

export const SCORES = [
  'wis',
  'dispersion',
  'overprediction',
  'underprediction',
  'coverage50',
  'coverage95',
  'aeMedian',
  'logScore',
] as const satisfies readonly (keyof ForecastScore)[];

const NONE: ForecastScore = Object.fromEntries(SCORES.map((name) => [name, null])) as never;

/** Levels are compared to nine digits, because 1 - 0.95 is not 0.05. */
const levelKey = (level: number): string => level.toFixed(9);

/**
 * Weighted interval score with its parts (Bracher et al. 2021, doi:10.1371/journal.pcbi.1008618). Without pairs of levels around the
 * median there is no weighted interval score.
 * @param quantiles value by level
 */
export function scoreQuantiles(
  quantiles: readonly (readonly [level: number, value: number])[],
  observed: number,
): ForecastScore {
  const values = new Map(quantiles.map(([level, value]) => [levelKey(level), value]));
  const at = (level: number): number | null => values.get(levelKey(level)) ?? null;
  const covers = (low: number): number | null => {
    const [lower, upper] = [at(low), at(1 - low)];
    return lower === null || upper === null ? null : Number(lower <= observed && observed <= upper);
  };
  const median = at(0.5);
  const found = {
    ...NONE,
    coverage50: covers(0.25),
    coverage95: covers(0.025),
    aeMedian: median === null ? null : Math.abs(observed - median),
  };
  const lows = quantiles.map(([level]) => level).filter((level) => level < 0.5 - 1e-9);
  const isSymmetric =
    lows.every((low) => at(1 - low) !== null) &&
    quantiles.length === 2 * lows.length + (median === null ? 0 : 1);
  const weight = lows.length + (median === null ? 0 : 0.5);
  if (!isSymmetric || weight === 0) return found;
  let [dispersion, over, under] = [0, 0, 0];
  const add = (share: number, width: number, lower: number, upper: number) => {
    dispersion += width;
    over += share * Math.max(0, lower - observed);
    under += share * Math.max(0, observed - upper);
  };
  // Half of alpha times the width; the factor 2 / alpha of a miss cancels half of alpha.
  for (const low of lows) add(1, low * (at(1 - low)! - at(low)!), at(low)!, at(1 - low)!);
  if (median !== null) add(0.5, 0, median, median);
  const [a, b, c] = [dispersion / weight, over / weight, under / weight];
  return { ...found, wis: a + b + c, dispersion: a, overprediction: b, underprediction: c };
}

export const scoreMedian = (median: number, observed: number): ForecastScore => ({
  ...NONE,
  aeMedian: Math.abs(observed - median),
});

/** @param probability of the category that came true */
export const scoreCategory = (probability: number): ForecastScore => ({
  ...NONE,
  logScore: -Math.log(probability),
});

/** Joins the scores of two output types. No score comes from both. */
export const mergeScores = (one: ForecastScore, other: ForecastScore): ForecastScore =>
  Object.fromEntries(SCORES.map((name) => [name, other[name] ?? one[name]])) as never;

export interface Mean {
  n: number;
  mean: number | null;
}

export function meanOf(scores: readonly ForecastScore[], name: keyof ForecastScore): Mean {
  const values = scores.map((score) => score[name]).filter((value) => value !== null);
  const sum = values.reduce((total, value) => total + value, 0);
  return { n: values.length, mean: values.length === 0 ? null : sum / values.length };
}

/**
 * The geometric mean, over all models and itself, of the ratio of mean scores on the forecasts that both made (Cramer et al. 2022,
 * doi:10.1073/pnas.2113561119). Null for a model without a score.
 * @param scores by model, and by task
 */
export function relativeSkills(
  scores: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Map<string, number | null> {
  return new Map(
    [...scores].map(([model, own]) => {
      const logs = [...scores].flatMap(([other, theirs]) => {
        if (other === model) return own.size > 0 ? [0] : [];
        const both = [...own.keys()].filter((task) => theirs.has(task));
        const sum = (from: ReadonlyMap<string, number>) =>
          both.reduce((total, task) => total + from.get(task)!, 0);
        return both.length === 0 ? [] : [Math.log(sum(own) / sum(theirs))];
      });
      const mean = logs.reduce((total, value) => total + value, 0) / logs.length;
      return [model, logs.length === 0 ? null : Math.exp(mean)];
    }),
  );
}
