// The formulas of docs/conventions.md#scores-of-hubs, without files or proofs.

export const SCORES = [
  'wis',
  'dispersion',
  'overprediction',
  'underprediction',
  'coverage_50',
  'coverage_95',
  'ae_median',
  /** infinite if the category that came true had probability 0 */
  'log_score',
] as const;

/** The scores that a forecast has: a model's output for one combination of task ids. */
export type ForecastScore = Partial<Record<(typeof SCORES)[number], number>>;

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
  const at = (level: number) => values.get(levelKey(level));
  const found = {
    ...scoreMedian(at(0.5), observed),
    ...covers('coverage_50', 0.25),
    ...covers('coverage_95', 0.025),
  };
  function covers(name: 'coverage_50' | 'coverage_95', low: number): ForecastScore {
    const [lower, upper] = [at(low), at(1 - low)];
    if (lower === undefined || upper === undefined) return {};
    return { [name]: Number(lower <= observed && observed <= upper) };
  }
  const isSymmetric = values.size > 0 && quantiles.every(([level]) => at(1 - level) !== undefined);
  if (!isSymmetric) return found;
  let [dispersion, over, under] = [0, 0, 0];
  for (const [level, value] of quantiles) {
    const side = Math.abs(level - 0.5) < 1e-9 ? 0 : Math.sign(level - 0.5);
    // Half of alpha times the width; the factor 2 / alpha of a miss cancels half of alpha. The median is a pair of half a weight.
    const share = side === 0 ? 0.5 : 1;
    dispersion += side * Math.min(level, 1 - level) * value;
    if (side <= 0) over += share * Math.max(0, value - observed);
    if (side >= 0) under += share * Math.max(0, observed - value);
  }
  const weight = values.size / 2;
  const [a, b, c] = [dispersion / weight, over / weight, under / weight];
  return { ...found, wis: a + b + c, dispersion: a, overprediction: b, underprediction: c };
}

export const scoreMedian = (median: number | undefined, observed: number): ForecastScore =>
  median === undefined ? {} : { ae_median: Math.abs(observed - median) };

/** @param probability of the category that came true */
export const scoreCategory = (probability: number): ForecastScore => ({ log_score: -Math.log(probability) });

export function meanOf(values: readonly number[]): { n: number; mean: number | null } {
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
  const skills = [...scores].map(([model, own]) => {
    const logs = [...scores.values()].flatMap((theirs) => {
      const both = [...own.keys()].filter((task) => theirs.has(task));
      const [mine, other] = [own, theirs].map((from) => meanOf(both.map((task) => from.get(task)!)).mean);
      return mine == null || other == null ? [] : [own === theirs ? 0 : Math.log(mine / other)];
    });
    const { mean } = meanOf(logs);
    return [model, mean === null ? null : Math.exp(mean)] as const;
  });
  return new Map(skills);
}
