// `svc hub score`: scores of the files that were proven on time.
import { type Context, makeProgress } from '../context.ts';
import { CommandError, usageError } from '../exit.ts';
import { checkFile } from './check-file.ts';
import type { HubReport } from './check.ts';
import {
  type ForecastScore,
  type Mean,
  meanOf,
  mergeScores,
  relativeSkills,
  SCORES,
  scoreCategory,
  scoreMedian,
  scoreQuantiles,
} from './forecast-scores.ts';
import { type HubFile, requireRound } from './hub-file.ts';
import { openTable } from './model-output.ts';
import { keyOf, type Outcomes } from './target-data.ts';

export interface ScoredForecast {
  score: ForecastScore;
  /** the task ids and `model` */
  of: Readonly<Record<string, string>>;
  /** the task, which several models answer */
  task: string;
}

export interface ScoreRow {
  of: readonly string[];
  forecasts: number;
  scores: Record<(typeof SCORES)[number], Mean>;
  relativeSkill: number | null;
}

export interface HubScore {
  by: readonly string[];
  rows: ScoreRow[];
  scoredFiles: number;
  /** other files, by their state in `svc hub check` */
  notScored: Record<string, number>;
  /** forecasts whose outcome the target data does not have */
  withoutOutcome: number;
}

export async function scoreHub(
  { hub, files, rows }: Pick<HubReport, 'hub' | 'files' | 'rows'>,
  outcomes: Outcomes,
  by: readonly string[],
  context: Context,
): Promise<HubScore> {
  const known = new Set(['model', ...hub.rounds.flatMap(({ taskIds }) => taskIds)]);
  const unknown = by.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw usageError(`--by ${unknown}: accepted are ${[...known].join(', ')}, separated by commas`);
  const notScored: Record<string, number> = {};
  const scored: ScoredForecast[] = [];
  let [scoredFiles, withoutOutcome] = [0, 0];
  for (const row of rows) {
    const file = files.find(({ name }) => name === row.file);
    let { state } = row;
    if (state === 'on time' && file !== undefined) {
      const found = await scoreFile(file, requireRound(hub, file), outcomes, context);
      if (found !== null) {
        scoredFiles++;
        scored.push(...found.scored);
        withoutOutcome += found.withoutOutcome;
        continue;
      }
      state = 'does not fit tasks.json';
    }
    notScored[state] = (notScored[state] ?? 0) + 1;
  }
  return { by, rows: summarize(scored, by), scoredFiles, notScored, withoutOutcome };
}

interface Forecast {
  cells: (string | null)[];
  quantiles: [number, number][];
  median: number | null;
  categories: Map<string, number>;
}

/** null: the file does not fit tasks.json */
export async function scoreFile(
  file: HubFile,
  round: ReturnType<typeof requireRound>,
  outcomes: Outcomes,
  context: Context,
): Promise<{ scored: ScoredForecast[]; withoutOutcome: number } | null> {
  const progress = makeProgress(context);
  try {
    await checkFile(file.path, { round, roundId: file.round }, progress);
  } catch (error) {
    if (error instanceof CommandError) return null;
    throw error;
  }
  const table = await openTable(file.path, progress);
  const at = (name: string) => table.columns.indexOf(name);
  const forecasts = new Map<string, Forecast>();
  for await (const chunk of table.rows())
    for (const row of chunk) {
      const type = row[at('output_type')];
      if (type !== 'quantile' && type !== 'median' && type !== 'pmf') continue;
      const cells = round.taskIds.map((name) => row[at(name)] ?? null);
      const key = keyOf(cells);
      const empty: Forecast = { cells, quantiles: [], median: null, categories: new Map() };
      const found = forecasts.get(key) ?? empty;
      forecasts.set(key, found);
      const [id, value] = [row[at('output_type_id')] ?? '', Number(row[at('value')])];
      if (type === 'quantile') found.quantiles.push([Number(id), value]);
      else if (type === 'median') found.median = value;
      else found.categories.set(id, value);
    }
  const scored: ScoredForecast[] = [];
  for (const [task, forecast] of forecasts) {
    const cells = outcomes.columns.map((name) => forecast.cells[round.taskIds.indexOf(name)] ?? null);
    const score = scoreForecast(forecast, keyOf(cells), outcomes);
    const of = Object.fromEntries(round.taskIds.map((name, index) => [name, forecast.cells[index] ?? 'NA']));
    if (score !== null) scored.push({ score, of: { ...of, model: file.model }, task });
  }
  return { scored, withoutOutcome: forecasts.size - scored.length };
}

function scoreForecast(
  { quantiles, median, categories }: Forecast,
  key: string,
  outcomes: Outcomes,
): ForecastScore | null {
  const [observed, category] = [outcomes.numbers.get(key), outcomes.categories.get(key)];
  if (categories.size > 0)
    return category === undefined ? null : scoreCategory(categories.get(category) ?? 0);
  if (observed === undefined) return null;
  const score = scoreQuantiles(quantiles, observed);
  return median === null ? score : mergeScores(score, scoreMedian(median, observed));
}

/** Rows in the order of their values; `model` among `by` gives the relative skill. */
export function summarize(scored: readonly ScoredForecast[], by: readonly string[]): ScoreRow[] {
  const groups = new Map<string, ScoredForecast[]>();
  for (const one of scored) {
    const key = JSON.stringify(by.map((name) => one.of[name] ?? 'NA'));
    const group = groups.get(key) ?? [];
    group.push(one);
    groups.set(key, group);
  }
  const skills = skillsOf(scored, by);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, group]) => {
      const scores = group.map(({ score }) => score);
      return {
        of: JSON.parse(key) as string[],
        forecasts: group.length,
        scores: Object.fromEntries(SCORES.map((name) => [name, meanOf(scores, name)])) as ScoreRow['scores'],
        relativeSkill: skills.get(key) ?? null,
      };
    });
}

/** Models are compared within the other columns of `by`. */
function skillsOf(scored: readonly ScoredForecast[], by: readonly string[]): Map<string, number | null> {
  const skills = new Map<string, number | null>();
  if (!by.includes('model')) return skills;
  const groups = new Map<string, Map<string, Map<string, number>>>();
  for (const { of, score, task } of scored) {
    const within = JSON.stringify(by.map((name) => (name === 'model' ? '' : of[name])));
    const models = groups.get(within) ?? new Map<string, Map<string, number>>();
    const tasks = models.get(of['model']!) ?? new Map<string, number>();
    if (score.wis !== null) tasks.set(task, score.wis);
    groups.set(within, models.set(of['model']!, tasks));
  }
  for (const [within, models] of groups)
    for (const [model, skill] of relativeSkills(models)) {
      const cells = JSON.parse(within) as string[];
      skills.set(JSON.stringify(cells.map((cell, at) => (by[at] === 'model' ? model : cell))), skill);
    }
  return skills;
}
