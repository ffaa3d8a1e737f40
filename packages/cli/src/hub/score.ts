// `svc hub score`: scores of the files that were proven on time.
import { type Context, makeProgress } from '../context.ts';
import { CommandError, usageError } from '../exit.ts';
import { cellsOf, checkFile, type Combination, givenValues } from './check-file.ts';
import type { HubReport } from './check.ts';
import {
  type ForecastScore,
  meanOf,
  relativeSkills,
  SCORES,
  scoreCategory,
  scoreMedian,
  scoreQuantiles,
} from './forecast-scores.ts';
import { type HubFile, roundOf } from './hub-file.ts';
import type { Round } from './read-hub.ts';
import { keyOf, type Outcomes } from './target-data.ts';

export interface ScoredForecast {
  score: ForecastScore;
  /** the task ids, `model` and `round` */
  of: Readonly<Record<string, string>>;
  /** the task, which several models answer */
  task: string;
}

/** The columns of `--by`, the number of forecasts, and for each score its mean. */
type ScoreRow = Record<string, string | number | null | ReturnType<typeof shownMean>>;

export const scoreColumns = (by: readonly string[]): string[] => [
  ...by,
  'forecasts',
  ...SCORES,
  'relative_skill',
];

export interface HubScore {
  by: readonly string[];
  rows: ScoreRow[];
  scored_files: number;
  /** other files, by their state in `svc hub check` */
  not_scored: Record<string, number>;
  /** forecasts (quantiles and probabilities of a task are two) whose outcome the target data does not have */
  without_outcome: number;
}

export async function scoreHub(
  { hub, files, rows }: Pick<HubReport, 'hub' | 'files' | 'rows'>,
  outcomes: Outcomes,
  by: readonly string[],
  context: Context,
): Promise<HubScore> {
  const known = [...new Set(['model', 'round', ...hub.rounds.flatMap(({ taskIds }) => taskIds)])];
  const unknown = by.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw usageError(`--by ${unknown}: accepted are ${known.join(', ')}, separated by commas`);
  const score: HubScore = { by, rows: [], scored_files: 0, not_scored: {}, without_outcome: 0 };
  const scored: ScoredForecast[] = [];
  for (const { file: name, state } of rows) {
    const file = files.find((one) => one.name === name);
    const isOnTime = state === 'on time' && file !== undefined;
    const round = isOnTime ? roundOf(hub, file.round) : undefined;
    const found = round ? await scoreFile(file!, round, outcomes, context) : null;
    if (found === null) {
      const misfit = round ? 'does not fit tasks.json' : 'of a round that tasks.json does not have';
      const why = isOnTime ? misfit : state;
      score.not_scored[why] = (score.not_scored[why] ?? 0) + 1;
      continue;
    }
    score.scored_files++;
    score.without_outcome += found.withoutOutcome;
    for (const one of found.scored) scored.push(one);
  }
  return { ...score, rows: summarize(scored, by) };
}

/** null: the file does not fit tasks.json */
export async function scoreFile(
  file: HubFile,
  round: Round,
  outcomes: Outcomes,
  context: Context,
): Promise<{ scored: ScoredForecast[]; withoutOutcome: number } | null> {
  const checked = await checkFile(file.path, round, file.round, makeProgress(context)).catch(
    (error: unknown) => {
      if (error instanceof CommandError) return null;
      throw error;
    },
  );
  if (checked === null) return null;
  const scored: ScoredForecast[] = [];
  let withoutOutcome = 0;
  for (const [task, combination] of checked) {
    const cells = cellsOf(task);
    const key = keyOf(outcomes.columns.map((name) => cells[round.taskIds.indexOf(name)] ?? null));
    const scores = scoreCombination(combination, key, outcomes);
    const found = scores.filter((one) => one !== null);
    const ids = Object.fromEntries(round.taskIds.map((name, at) => [name, cells[at] || 'NA']));
    const of = { round: file.round, ...ids, model: file.model };
    withoutOutcome += scores.length - found.length;
    if (found.length > 0)
      scored.push({ score: Object.assign({}, ...found) as ForecastScore, of, task: `${file.round} ${task}` });
  }
  return { scored, withoutOutcome };
}

/** For quantiles or a median, and for probabilities; null: without an outcome. */
function scoreCombination(
  { groups }: Combination,
  key: string,
  { numbers, categories }: Outcomes,
): (ForecastScore | null)[] {
  const [quantiles, median, pmf] = ['quantile', 'median', 'pmf'].map((type) => {
    const group = groups.find(({ output }) => output.name === type);
    return group && givenValues(group);
  });
  const scores: (ForecastScore | null)[] = [];
  if (pmf !== undefined) {
    const category = categories.get(key);
    const probability = pmf.find(({ id }) => id === category)?.value ?? 0;
    scores.push(category === undefined ? null : scoreCategory(probability));
  }
  if (quantiles !== undefined || median !== undefined) {
    const observed = numbers.get(key) ?? Number.NaN;
    const levels = (quantiles ?? []).map(({ id, value }) => [Number(id), value] as const);
    const score = { ...scoreQuantiles(levels, observed), ...scoreMedian(median?.[0]?.value, observed) };
    scores.push(Number.isNaN(observed) ? null : score);
  }
  return scores;
}

/** Rows in the order of their values. Models are compared within the other columns; without `model` there is no relative skill. */
export function summarize(scored: readonly ScoredForecast[], by: readonly string[]): ScoreRow[] {
  const cellsBy = (names: readonly string[]) => (one: ScoredForecast) =>
    JSON.stringify(names.map((name) => one.of[name] ?? 'NA'));
  const compared = grouped(scored, cellsBy(by.filter((name) => name !== 'model')));
  const rows = [...compared.values()].flatMap((forecasts) => {
    const wis = ({ task, score }: ScoredForecast) =>
      score.wis === undefined ? [] : [[task, score.wis] as const];
    const groups = [...grouped(forecasts, cellsBy(by))];
    const skills = relativeSkills(new Map(groups.map(([key, own]) => [key, new Map(own.flatMap(wis))])));
    return groups.map(([key, own]): [string, ScoreRow] => {
      const row: ScoreRow = Object.fromEntries(by.map((name) => [name, own[0]!.of[name] ?? 'NA']));
      row['forecasts'] = own.length;
      for (const name of SCORES) row[name] = shownMean(own.flatMap(({ score }) => score[name] ?? []));
      row['relative_skill'] = by.includes('model') ? skills.get(key)! : null;
      return [key, row];
    });
  });
  return rows.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** JSON has no infinity. */
function shownMean(values: readonly number[]) {
  const { n, mean } = meanOf(values);
  return { n, mean: mean === Infinity ? 'Infinity' : mean };
}

function grouped<Item>(items: readonly Item[], keyOfItem: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOfItem(item)) ?? [];
    group.push(item);
    groups.set(keyOfItem(item), group);
  }
  return groups;
}
