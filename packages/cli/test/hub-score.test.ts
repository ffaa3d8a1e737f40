import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import { relativeSkills, scoreCategory, scoreQuantiles } from '../src/hub/forecast-scores.ts';
import { hubFiles, requireRound } from '../src/hub/hub-file.ts';
import { readHub } from '../src/hub/read-hub.ts';
import { type ScoredForecast, scoreFile, scoreHub, summarize } from '../src/hub/score.ts';
import { readOutcomes } from '../src/hub/target-data.ts';
import { ends } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';
import {
  type Cell,
  csv,
  fileOf,
  GOOD,
  hubOf,
  NEXT,
  PAST,
  pmf,
  quantiles,
  ROUND,
  tasks,
} from './support/hub.ts';

const SCRIPT = join(import.meta.dirname, '../../../docs/hub_scores.py');
const OUTCOMES = [
  'location,horizon,target,output_type,output_type_id,oracle_value',
  'US,1,inc hosp,quantile,NA,6',
  'US,2,inc hosp,quantile,NA,25',
  '01,1,inc hosp,quantile,NA,0',
  'US,1,inc hosp,pmf,low,0',
  'US,1,inc hosp,pmf,high,1',
  'US,1,category,pmf,low,0',
  'US,1,category,pmf,high,1',
  'US,1,category,pmf,very high,0',
  '01,1,category,pmf,low,1',
  '',
].join('\n');

/** Forecasts of a model, the same in each run. */
function forecastsOf(seed: number, round: string): Cell[] {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const sorted = () => Array.from({ length: 5 }, () => Math.round(random() * 400) / 10).sort((a, b) => a - b);
  const cells = ['US', '01'].flatMap((location) =>
    [1, 2]
      .filter(() => location === 'US' || random() < 0.7)
      .flatMap((horizon) => quantiles(sorted(), { location, horizon })),
  );
  const low = Math.round(random() * 50) / 100;
  const probabilities = [low, 0.5, 0.5 - low];
  return [
    ...cells,
    ...quantiles(sorted(), { round, location: '01' }),
    ...pmf(probabilities),
    ...pmf(probabilities.toReversed(), { target: 'inc hosp' }),
  ].filter((cell, at, all) => all.findIndex((one) => keyOf(one) === keyOf(cell)) === at);
}
const keyOf = ({ location, horizon = 1, target, type, id }: Cell) =>
  [location, horizon, target, type, id].join();

describe('the scores', () => {
  const files = Object.fromEntries(
    ['weir-a', 'weir-b', 'flood-c'].flatMap((model, at) =>
      [PAST, ROUND, NEXT].map((round, of) => [
        fileOf(model, round),
        csv(forecastsOf(at * 7 + of + 1, round), round),
      ]),
    ),
  );
  const { pmf: categories } = tasks().rounds[0]!.model_tasks[1]!.output_type;
  const both = tasks({}, { pmf: { ...categories, is_required: false } });
  const hub = hubOf({ ...files, 'target-data/oracle-output.csv': OUTCOMES }, { tasks: both });
  const target = hub.at('target-data/oracle-output.csv');
  const silent = { note: () => undefined } as never;
  const scored: ScoredForecast[] = [];
  beforeAll(async () => {
    const read = await readHub(hub.root);
    const outcomes = await readOutcomes(target, read, silent);
    for (const file of hubFiles(read))
      scored.push(...(await scoreFile(file, requireRound(read, file), outcomes, silent))!.scored);
  });

  test.each([
    'model',
    'model,target',
    'model,horizon,location',
    'target,location',
    'model,reference_date',
    'round,model',
  ])('by %s are those of an independent program', (by) => {
    const python = execFileSync(
      'python3',
      ['-B', SCRIPT, target, by, ...Object.keys(files).map((name) => hub.at(name))],
      { encoding: 'utf8' },
    );
    const theirs = python
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ours = summarize(scored, by.split(',')) as any[];
    expect(ours).toHaveLength(theirs.length);
    expect(theirs.length).toBeGreaterThan(2);
    for (const [at, row] of theirs.entries())
      for (const [name, value] of Object.entries(row as object)) {
        const own =
          typeof ours[at][name] === 'object' && ours[at][name] !== null
            ? ours[at][name].mean
            : ours[at][name];
        if (typeof value === 'number') expect(own, name).toBeCloseTo(value, 9);
        else expect(own, name).toEqual(value);
      }
  });

  test('of quantiles and of probabilities for the same task are both computed', () => {
    const rows = summarize(scored, ['model', 'target', 'location', 'horizon']) as any[];
    expect(rows.find((row) => row.target === 'inc hosp' && row.location === 'US')).toMatchObject({
      forecasts: 3,
      wis: { n: 3 },
      log_score: { n: 3, mean: -Math.log(0.5) },
    });
  });

  test('agree with the values that hubEvals publishes for the example hub of the hubverse', () => {
    // The first forecast of Flusight-baseline, and its scores, shown with one decimal or two.
    const values = { 0.05: 22, 0.1: 31, 0.25: 45, 0.5: 51, 0.75: 57, 0.9: 71, 0.95: 80 };
    const published = {
      wis: 15.4,
      overprediction: 0,
      underprediction: 12.6,
      dispersion: 2.83,
      ae_median: 28,
    };
    const row = '25,0,wk inc flu hosp';
    const own = hubOf({
      'target.csv': `location,horizon,target,observation\n${row},79\n`,
      'model.csv': `location,horizon,target,output_type,output_type_id,value\n${Object.entries(values)
        .map(([level, value]) => `${row},quantile,${level},${value}\n`)
        .join('')}`,
    });
    const python = JSON.parse(
      execFileSync('python3', ['-B', SCRIPT, own.at('target.csv'), 'model', own.at('model.csv')], {
        encoding: 'utf8',
      }),
    );
    const levels = Object.entries(values).map(([level, value]) => [Number(level), value] as const);
    for (const scores of [scoreQuantiles(levels, 79), python])
      for (const [name, value] of Object.entries(published))
        expect(scores[name], name).toBeCloseTo(value, name === 'dispersion' ? 2 : 1);

    const skills = { 329.4545: 1.1473659, 315.2393: 1.0978597, 227.9527: 0.7938733 };
    const models = new Map(Object.keys(skills).map((wis) => [wis, new Map([['all tasks', Number(wis)]])]));
    for (const [wis, skill] of relativeSkills(models)) expect(skill).toBeCloseTo(skills[wis as never], 6);
  });

  test.each([
    ['an observation', 'location,date,observation\nUS,2026-01-03,6\nUS,2026-01-10,60\n', '6 and 60'],
    [
      'a category',
      'location,date,output_type,output_type_id,oracle_value\nUS,2026-01-03,pmf,low,1\nUS,2026-01-10,pmf,high,1\n',
      'low and high',
    ],
  ])('fail when the task ids do not distinguish two outcomes: %s', async (_what, text, two) => {
    const path = hub.put('target-data/series.csv', text);
    await expect(readOutcomes(path, await readHub(hub.root), silent)).rejects.toThrow(
      `two outcomes, ${two}, for location US: its columns that are task ids do not distinguish them`,
    );
    const python = spawnSync('python3', ['-B', SCRIPT, path, 'model', hub.at(Object.keys(files)[0]!)]);
    expect([python.status, String(python.stderr)]).toEqual([
      1,
      expect.stringMatching(/two outcomes, .* and .*, for \{'location': 'US'\}/),
    ]);
  });

  test('of a file whose round was removed from tasks.json are not computed, and the file is counted', async () => {
    const read = await readHub(hub.root);
    const outcomes = await readOutcomes(target, read, silent);
    const own = hubFiles(read).filter(({ model }) => model === 'weir-a');
    const rows = own.map(({ name }) => ({ file: name, state: 'on time' }));
    const ids = read.rounds[0]!.ids.filter((id) => id !== PAST);
    const rewritten = { ...read, rounds: [{ ...read.rounds[0]!, ids }] };
    const report = { hub: rewritten, files: own, rows } as never;
    expect(await scoreHub(report, outcomes, ['model'], silent)).toMatchObject({
      scored_files: 2,
      not_scored: { 'of a round that tasks.json does not have': 1 },
    });
  });

  test('of one forecast are the sum of their parts, and follow the formulas', () => {
    const levels = [
      [0.1, -1],
      [0.25, 0],
      [0.5, 1],
      [0.75, 2],
      [0.9, 3],
    ] as const;
    expect(scoreQuantiles(levels, 1)).toMatchObject({
      wis: (0.1 * 4 + 0.25 * 2) / 2.5,
      coverage_50: 1,
      ae_median: 0,
    });
    expect(scoreQuantiles(levels, 1).coverage_95).toBeUndefined();
    const low = scoreQuantiles(levels, -15);
    expect(low.wis).toBeCloseTo((0.9 + 14 + 15 + 0.5 * 16) / 2.5, 12);
    expect(low).toMatchObject({ underprediction: 0, coverage_50: 0 });
    expect(
      scoreQuantiles(
        [
          [0.1, 1],
          [0.5, 2],
        ],
        3,
      ),
    ).toEqual({ ae_median: 1 });
    expect(scoreCategory(0).log_score).toBe(Infinity);
    const task = (entries: Record<string, number>) => new Map(Object.entries(entries));
    const skills = relativeSkills(
      new Map([
        ['a', task({ x: 1, y: 1 })],
        ['b', task({ x: 4 })],
        ['c', task({})],
      ]),
    );
    expect([...skills.values()]).toEqual([0.5, 2, null]);
  });
});

describe('svc hub score', () => {
  const { run } = useAccount({ pins: true });
  const FILE = fileOf('weir-ar');
  const [series, none] = ['target-data/time-series.parquet', 'target-data/none.csv'];
  let hub: ReturnType<typeof hubOf>;
  beforeAll(async () => {
    const columns = { location: ['US', 'US'], as_of: ['2026-01-09', '2026-01-02'], observation: [6, 60] };
    hub = hubOf({
      [FILE]: csv(GOOD),
      [fileOf('flood-x')]: csv(GOOD),
      'target-data/oracle-output.csv': OUTCOMES,
      [series]: Buffer.from(
        parquetWriteBuffer({ columnData: Object.entries(columns).map(([name, data]) => ({ name, data })) }),
      ),
      [none]: 'date,value\n2026-01-01,5\n',
    });
    await ends(run(['hub', 'submit', hub.at(FILE), '--wait']), 0);
  });
  const score = (target: string, ...more: string[]) =>
    run(['hub', 'score', hub.root, '--target', hub.at(target), ...more]);

  test('scores files proven on time, and counts the others', async () => {
    const { out } = await ends(score('target-data/oracle-output.csv', '--json'), 0);
    const [category, counts] = JSON.parse(out).rows;
    expect(JSON.parse(out)).toMatchObject({
      scored_files: 1,
      not_scored: { 'never committed': 1 },
      without_outcome: 1,
    });
    expect(category).toMatchObject({
      target: 'category',
      log_score: { n: 1, mean: -Math.log(0.5) },
      wis: { n: 0 },
    });
    expect(counts).toMatchObject({
      forecasts: 1,
      coverage_50: { mean: 1 },
      ae_median: { mean: 1 },
      relative_skill: 1,
    });
    await ends(score('target-data/oracle-output.csv'), 0, {
      out: ['wis', '1 file proven on time and scored; not scored: 1 never committed'],
    });
  });

  test('takes the newest version of a time series in Parquet', async () => {
    const { out } = await ends(score(series, '--by', 'model,location', '--format', 'csv'), 0);
    expect(out.split('\n')[1]).toMatch(/^weir-ar,US,\d,/);
    expect(out).toContain(',1,1,');
  });

  test('rejects unknown columns, and a target without outcomes', async () => {
    await ends(score('target-data/oracle-output.csv', '--by', 'model,weather'), 64, {
      err: '--by weather: accepted are model, round, reference_date',
    });
    await ends(score(none), 1, { err: 'has no outcomes: it needs the column oracle_value or observation' });
  });
});
