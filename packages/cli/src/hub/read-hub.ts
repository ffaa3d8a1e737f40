// Reads the configuration of a forecast hub (hubverse): hub-config/admin.json and hub-config/tasks.json of schema versions 2 to 6.
import { existsSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { inputError, reworded } from '../exit.ts';
import { readJsonFile } from '../input-file.ts';

export type Hub = Awaited<ReturnType<typeof readHub>>;
export type Round = ReturnType<typeof readRound>;
export type ModelTask = ReturnType<typeof readTask>;
export type OutputType = ReturnType<typeof readOutput>;
export type Values = ReturnType<typeof readValues>;

export type Due =
  | { relativeTo: string; start: number; end: number }
  | { relativeTo: null; start: string; end: string };

type Fields = Record<string, unknown>;

export const DAY = /^\d{4}-\d\d-\d\d$/;
/** `2026-02-30` is no day: Date.parse reads it as 2 March. */
export const isDay = (text: string): boolean =>
  DAY.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(Date.parse(text)).toISOString().slice(0, 10) === text;
const OUTPUT_TYPES = ['mean', 'median', 'quantile', 'cdf', 'pmf', 'sample'];

/** The hub whose folder, or a folder in it, is `start`. */
export async function readHub(start: string) {
  const root = findRoot(resolve(start));
  if (root === null)
    throw inputError(
      `${start} is not in a checkout of a hub: neither it nor a folder above has hub-config/tasks.json`,
    );
  const adminPath = join(root, 'hub-config/admin.json');
  const tasksPath = join(root, 'hub-config/tasks.json');
  const admin = asFields(await readJsonFile(adminPath), adminPath);
  const tasks = asFields(await readJsonFile(tasksPath), tasksPath);
  const timezone = asText(admin['timezone'], `${adminPath}: timezone`);
  reworded(
    () => new Intl.DateTimeFormat('en', { timeZone: timezone }),
    RangeError,
    () =>
      inputError(`${adminPath}: timezone ${JSON.stringify(timezone)} is not a name such as America/New_York`),
  );
  const { derived_task_ids: derived, rounds } = tasks;
  const formats = asList(admin['file_format'] ?? ['csv', 'parquet'], `${adminPath}: file_format`);
  return {
    root,
    name: nameOf(admin, adminPath),
    timezone,
    outputFolder: posix
      .normalize(asText(admin['model_output_dir'] ?? 'model-output', `${adminPath}: model_output_dir`))
      .replace(/\/$/, ''),
    rounds: asList(rounds, `${tasksPath}: rounds`).map((round, at) =>
      readRound(round, `${tasksPath}: rounds[${at}]`, { derived, formats }),
    ),
  };
}

function findRoot(folder: string): string | null {
  if (existsSync(join(folder, 'hub-config/tasks.json'))) return folder;
  return dirname(folder) === folder ? null : findRoot(dirname(folder));
}

function nameOf(admin: Fields, path: string): string {
  const { owner, name, url } = (admin['repository'] ?? {}) as Partial<Record<string, string>>;
  const [, inUrl] =
    /^https?:\/\/[^/]+\/([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(url ?? String(admin['repository_url'])) ?? [];
  const named = owner && name ? `${owner}/${name}` : inUrl;
  return (named ?? asText(admin['name'], `${path}: name`)).replace(/[^A-Za-z0-9._/-]+/g, '-').slice(0, 100);
}

function readRound(given: unknown, where: string, above: { derived: unknown; formats: unknown[] }) {
  const round = asFields(given, where);
  const id = asText(round['round_id'], `${where}.round_id`);
  const isVariable = round['round_id_from_variable'] === true;
  const tasks = asList(round['model_tasks'], `${where}.model_tasks`).map((task, at) =>
    readTask(task, `${where}.model_tasks[${at}]`),
  );
  const ids = isVariable ? tasks.flatMap(({ taskIds }) => [...(taskIds.get(id)?.all ?? [])]) : [id];
  if (ids.length === 0) throw inputError(`${where}: no model task has a value of ${id}, the round id`);
  return {
    ids: [...new Set(ids)],
    /** the task id with the round id; null: the file name alone has it */
    variable: isVariable ? id : null,
    tasks,
    taskIds: [...new Set(tasks.flatMap(({ taskIds }) => [...taskIds.keys()]))],
    derived: asList(round['derived_task_ids'] ?? above.derived ?? [], `${where}.derived_task_ids`).map(
      String,
    ),
    due: readDue(round['submissions_due'], `${where}.submissions_due`),
    formats: asList(round['file_format'] ?? above.formats, `${where}.file_format`).map(String),
  };
}

function readDue(given: unknown, where: string): Due {
  const { relative_to: relativeTo = null, start, end } = asFields(given, where);
  if (typeof relativeTo === 'string' && Number.isInteger(start) && Number.isInteger(end))
    return { relativeTo, start: start as number, end: end as number };
  if (relativeTo === null && isDay(String(start)) && isDay(String(end)))
    return { relativeTo: null, start: start as string, end: end as string };
  throw inputError(
    `${where} has neither relative_to with a number of days as start and end, nor two dates (YYYY-MM-DD)`,
  );
}

function readTask(given: unknown, where: string) {
  const { task_ids, output_type } = asFields(given, where);
  const taskIds = Object.entries(asFields(task_ids, `${where}.task_ids`)).map(
    ([name, values]) => [name, readValues(values, `${where}.task_ids.${name}`)] as const,
  );
  const outputs = Object.entries(asFields(output_type, `${where}.output_type`)).map(
    ([name, output]) => [name, readOutput(name, output, `${where}.output_type.${name}`)] as const,
  );
  return { taskIds: new Map(taskIds), outputs: new Map(outputs) };
}

type Listed = string | number | boolean | null;

/** Accepted values of a column, as texts in their order. An empty cell is accepted without any, or if a list has null or NA. */
function readValues(given: unknown, where: string) {
  const { required, optional } = asFields(given, where);
  const lists = [required, optional].map((values) => asList(values ?? [], where) as Listed[]);
  const isEmpty = (value: Listed) => value === null || value === 'NA';
  const all = lists.flat().filter((value) => !isEmpty(value));
  const isNumeric = all.length > 0 && all.every((value) => typeof value === 'number');
  const text = (value: Listed) => (isEmpty(value) ? '' : normalCell(isNumeric, String(value)));
  const acceptsEmpty = all.length === 0 || lists.flat().some(isEmpty);
  return { all: new Set(all.map(text)), required: lists[0]!.map(text), isNumeric, acceptsEmpty };
}

/** Numbers are compared to nine digits, because programs write 0.3 as 0.30000000000000004. */
export const normalCell = (isNumeric: boolean, cell: string): string =>
  isNumeric && cell.trim() !== '' && !Number.isNaN(Number(cell))
    ? String(Number(Number(cell).toFixed(9)))
    : cell;

function readOutput(name: string, given: unknown, where: string) {
  if (!OUTPUT_TYPES.includes(name))
    throw inputError(`${where} is not a known output type: ${OUTPUT_TYPES.join(', ')}`);
  const output = asFields(given, where);
  const { type, minimum, maximum } = asFields(output['value'], `${where}.value`);
  const { output_type_id: ids, output_type_id_params: params, is_required } = output;
  const hasIds = ids !== undefined && name !== 'mean' && name !== 'median';
  const { required } = (ids ?? {}) as { required?: unknown };
  // Schema versions before 4 require a type by its ids, samples by their parameters.
  const isRequired =
    is_required ??
    (params as Fields | undefined)?.['is_required'] ??
    (Array.isArray(required) && required.length > 0);
  const hasParams = name === 'sample' && (params !== undefined || ids === undefined);
  return {
    name,
    /** quantile levels, thresholds, categories or (schema version 2) samples; none for mean and median */
    ids: readValues(hasIds && !hasParams ? ids : {}, `${where}.output_type_id`),
    isRequired: isRequired === true,
    value: {
      type: String(type),
      minimum: Number(minimum ?? -Infinity),
      maximum: Number(maximum ?? Infinity),
    },
    /** how many samples a task has; null without samples, and for samples by their ids */
    samples: hasParams ? readSamples(asFields(params, `${where}.output_type_id_params`)) : null,
  };
}

const readSamples = (params: Fields) => ({
  least: Number(params['min_samples_per_task'] ?? 1),
  most: Number(params['max_samples_per_task'] ?? Infinity),
  isInteger: params['type'] === 'integer',
  longest: Number(params['max_length'] ?? Infinity),
});

function asFields(value: unknown, where: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw inputError(`${where} is not an object`);
}

function asList(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw inputError(`${where} is not a list`);
}

function asText(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw inputError(`${where} is not a text`);
}
