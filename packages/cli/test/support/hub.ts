// A forecast hub in the layout of the hubverse, with three rounds, two targets and our own values.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderOf } from './folder.ts';

const LEVELS = [0.025, 0.25, 0.5, 0.75, 0.975];
const DAY_MS = 86_400_000;
const dayFrom = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** The window of ROUND is open now. The window of PAST has closed, and that of NEXT has not opened. */
export const ROUND = dayFrom(2);
export const PAST = dayFrom(-20);
export const NEXT = dayFrom(40);

export const tasks = (more: object = {}, output: object = {}) => ({
  schema_version: 'https://raw.githubusercontent.com/hubverse-org/schemas/main/v6.0.0/tasks-schema.json',
  rounds: [
    {
      round_id_from_variable: true,
      round_id: 'reference_date',
      model_tasks: [
        {
          task_ids: {
            reference_date: { required: null, optional: [PAST, ROUND, NEXT] },
            target: { required: ['inc hosp'], optional: null },
            horizon: { required: [1], optional: [2] },
            location: { required: null, optional: ['US', '01'] },
          },
          output_type: {
            median: {
              output_type_id: { required: null },
              is_required: false,
              value: { type: 'double', minimum: 0 },
            },
            quantile: {
              output_type_id: { required: LEVELS },
              is_required: true,
              value: { type: 'double', minimum: 0 },
            },
            sample: {
              output_type_id_params: { type: 'integer', min_samples_per_task: 2, max_samples_per_task: 3 },
              is_required: false,
              value: { type: 'integer', minimum: 0 },
            },
            ...output,
          },
        },
        {
          task_ids: {
            reference_date: { required: null, optional: [PAST, ROUND, NEXT] },
            target: { required: null, optional: ['category'] },
            horizon: { required: null, optional: [1] },
            location: { required: null, optional: ['US', '01'] },
          },
          output_type: {
            pmf: {
              output_type_id: { required: ['low', 'high', 'very high'] },
              is_required: true,
              value: { type: 'double', minimum: 0, maximum: 1 },
            },
          },
        },
      ],
      submissions_due: { relative_to: 'reference_date', start: -6, end: 3 },
      ...more,
    },
  ],
});

export const admin = (more: object = {}) => ({
  schema_version: 'https://raw.githubusercontent.com/hubverse-org/schemas/main/v6.0.0/admin-schema.json',
  name: 'Weir hub',
  repository: { host: 'github', owner: 'weirs', name: 'weir-hub' },
  file_format: ['csv', 'parquet'],
  timezone: 'US/Eastern',
  ...more,
});

export interface Cell {
  round?: string;
  target?: string;
  horizon?: number | string;
  location?: string;
  type?: string;
  id?: number | string;
  value: number | string;
}

export const HEAD = 'location,reference_date,horizon,target,output_type,output_type_id,value';

export const quantiles = (values: readonly number[], more: Partial<Cell> = {}): Cell[] =>
  values.map((value, at) => ({ ...more, type: 'quantile', id: LEVELS[at]!, value }));
export const pmf = (values: readonly number[], more: Partial<Cell> = {}): Cell[] =>
  values.map((value, at) => ({
    target: 'category',
    ...more,
    type: 'pmf',
    id: ['low', 'high', 'very high'][at]!,
    value,
  }));

export const csv = (cells: readonly Cell[], round = ROUND): string =>
  `${HEAD}\n${cells.map((cell) => `${cell.location ?? 'US'},${cell.round ?? round},${cell.horizon ?? 1},${cell.target ?? 'inc hosp'},${cell.type ?? 'quantile'},${cell.id ?? 'NA'},${cell.value}\n`).join('')}`;

export const GOOD: readonly Cell[] = [
  ...quantiles([1, 5, 7, 9, 20]),
  ...quantiles([2, 6, 8, 10, 30], { location: '01', horizon: 2 }),
  { type: 'median', value: 7 },
  { type: 'sample', id: 1, value: 5 },
  { type: 'sample', id: 2, value: 9 },
  ...pmf([0.2, 0.5, 0.3]),
];

export const fileOf = (model: string, round = ROUND, format = 'csv'): string =>
  `model-output/${model}/${round}-${model}.${format}`;

/** The files are by their path in the hub. */
export function hubOf(
  files: Record<string, string | Buffer>,
  configuration: { tasks?: object; admin?: object } = {},
) {
  const root = folderOf({
    'hub-config/tasks.json': JSON.stringify(configuration.tasks ?? tasks()),
    'hub-config/admin.json': JSON.stringify(configuration.admin ?? admin()),
    'model-output/README.md': 'Model output',
    ...files,
  });
  const put = (name: string, content: string | Buffer): string => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
    return join(root, name);
  };
  return { root, at: (name: string) => join(root, name), put };
}

/** Git in a new repository of the folder. */
export function gitIn(root: string) {
  const who = ['-c', 'user.name=A team', '-c', 'user.email=team@example.org'];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...who, ...args], { encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  return {
    git,
    /** the name of the commit */
    commit() {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'A change');
      return git('rev-parse', 'HEAD');
    },
  };
}
