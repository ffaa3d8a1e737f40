// Checks a model-output file against tasks.json. Memory grows with the tasks, at eight bytes a value, and not with the text of the file.
import { hash } from 'node:crypto';
import type { Progress } from '../context.ts';
import { failError } from '../exit.ts';
import { isNumericColumn, OUTPUT_COLUMNS, refuseColumns } from './check-columns.ts';
import { openTable, type Row, type Table } from './model-output.ts';
import { type ModelTask, normalCell, type OutputType, type Round, type Values } from './read-hub.ts';

const MOST_FAULTS = 10;
const MOST_LISTED = 8;
/** As R's all.equal, by which hubValidations compares. */
const SUM_TOLERANCE = 1.5e-8;

/** The values of one output type for one combination of task ids. */
interface Group {
  output: OutputType;
  /** in the order of the ids, NaN if missing */
  values: Float64Array;
  /** indexes, in the order of the file */
  samples: number[];
}

const NONE: number[] = [];

/** Few large arrays: a buffer of its own costs each group more than its values. */
class ValuePool {
  #free = new Float64Array(0);

  take(count: number): Float64Array {
    if (this.#free.length < count) this.#free = new Float64Array(65_536 + count).fill(Number.NaN);
    const taken = this.#free.subarray(0, count);
    this.#free = this.#free.subarray(count);
    return taken;
  }
}

export interface Combination {
  tasks: readonly ModelTask[];
  groups: readonly Group[];
}

/** By the cells of the task ids. A list of cells in each combination would double the memory. */
export type Combinations = ReadonlyMap<string, Combination>;

const SEPARATOR = '\u001f';
export const cellsOf = (key: string): string[] => key.split(SEPARATOR);

/** @throws {CommandError} with up to ten faults */
export async function checkFile(
  path: string,
  round: Round,
  roundId: string,
  progress: Progress,
): Promise<Combinations> {
  const table = await openTable(path, progress);
  const checker = new FileChecker(path, round, roundId, table);
  const [unit, first] = table.counts;
  let rows = 0;
  for await (const chunk of table.rows)
    for (const row of chunk) checker.add(row, `${unit} ${first + rows++}`);
  if (rows === 0) throw failError(`${path} has no row`);
  return checker.finish();
}

class FileChecker {
  readonly #path: string;
  readonly #round: Round;
  readonly #roundId: string;
  readonly #faults: string[] = [];
  readonly #taskIds: readonly { name: string; at: number; isNumeric: boolean }[];
  readonly #at: readonly [type: number, id: number, value: number];
  readonly #combinations = new Map<string, Combination>();
  readonly #pool = new ValuePool();
  /** equal lists of tasks are one object */
  readonly #taskLists = new Map<string, ModelTask[]>();

  constructor(path: string, round: Round, roundId: string, table: Table) {
    this.#path = path;
    this.#round = round;
    this.#roundId = roundId;
    refuseColumns(path, round, table);
    const { columns } = table;
    this.#at = OUTPUT_COLUMNS.map((name) => columns.indexOf(name)) as [number, number, number];
    this.#taskIds = round.taskIds.map((name) => ({
      name,
      at: columns.indexOf(name),
      isNumeric: isNumericColumn(round, name),
    }));
  }

  #fault(words: string): void {
    this.#faults.push(words);
    if (this.#faults.length === MOST_FAULTS) this.#throwFaults('; and perhaps more');
  }

  #refuse(where: string, what: string, found: string | null, accepted: Iterable<string>): void {
    const all = [...new Set(accepted)];
    const more = all.length > MOST_LISTED ? `, … (${all.length} values)` : '';
    const shown = found === null ? 'missing' : JSON.stringify(found);
    const listed = all.slice(0, MOST_LISTED).join(', ') || 'NA';
    this.#fault(`${where}: ${what} is ${shown}; accepted: ${listed}${more}`);
  }

  #throwFaults(more: string): void {
    throw failError(`${this.#path} does not fit hub-config/tasks.json: ${this.#faults.join('; ')}${more}`);
  }

  add(row: Row, where: string): void {
    const cells = this.#taskIds.map(({ at, isNumeric }) => normalCell(isNumeric, row[at] ?? ''));
    const key = cells.join(SEPARATOR);
    let combination = this.#combinations.get(key);
    if (combination === undefined) {
      const tasks = this.#findTasks(cells, where);
      if (tasks === null) return;
      this.#combinations.set(key, (combination = { tasks, groups: [] }));
    }
    const type = row[this.#at[0]] ?? null;
    let group = combination.groups.find(({ output }) => output.name === type);
    if (group === undefined) {
      const types = combination.tasks.flatMap(({ outputs }) => [...outputs.values()]);
      const output = types.find(({ name }) => name === type);
      if (output === undefined)
        return this.#refuse(
          where,
          'output_type',
          type,
          types.map(({ name }) => name),
        );
      const count = output.samples === null ? Math.max(1, output.ids.all.size) : 0;
      group = { output, values: this.#pool.take(count), samples: output.samples === null ? NONE : [] };
      // An array that grows by push or by spread has room for 17 groups.
      combination.groups = combination.groups.concat(group);
    }
    this.#addValue(group, row, () => `${where} (${this.#named(key)})`);
  }

  #named(key: string): string {
    const cells = cellsOf(key);
    return this.#taskIds.map(({ name }, at) => `${name} ${cells[at] || 'NA'}`).join(', ');
  }

  /** Narrows the tasks of the round by one task id after the other. A derived one may be of any task, as in hubValidations. */
  #findTasks(cells: readonly string[], where: string): ModelTask[] | null {
    let tasks: readonly ModelTask[] = this.#round.tasks;
    for (const [at, { name }] of this.#taskIds.entries()) {
      const cell = cells[at] || null;
      if (name === this.#round.variable && cell !== this.#roundId) {
        this.#fault(
          `${where}: ${name} is ${JSON.stringify(cell)}, but the file's name says round ${this.#roundId}`,
        );
        return null;
      }
      const isDerived = this.#round.derived.includes(name);
      const among = isDerived ? this.#round.tasks : tasks;
      const acceptedBy = ({ taskIds }: ModelTask) => taskIds.get(name)?.all ?? new Set<string>();
      const accepting = among.filter((task) =>
        cell === null ? (task.taskIds.get(name)?.acceptsEmpty ?? true) : acceptedBy(task).has(cell),
      );
      if (accepting.length === 0) {
        this.#refuse(
          where,
          name,
          cell,
          among.flatMap((task) => [...acceptedBy(task)]),
        );
        return null;
      }
      if (!isDerived) tasks = accepting;
    }
    const list = tasks.map((task) => this.#round.tasks.indexOf(task)).join();
    if (!this.#taskLists.has(list)) this.#taskLists.set(list, [...tasks]);
    return this.#taskLists.get(list)!;
  }

  #addValue({ output, values, samples: listed }: Group, row: Row, where: () => string): void {
    const { name, ids, samples } = output;
    const [id, written] = [row[this.#at[1]] ?? null, row[this.#at[2]] ?? null];
    const value = written === null || written.trim() === '' ? Number.NaN : Number(written);
    const { type, minimum, maximum } = output.value;
    const isKind = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
    if (!isKind || value < minimum || value > maximum) {
      const kind = type === 'integer' ? 'an integer' : 'a number';
      return this.#refuse(where(), 'value', written, [`${kind} from ${minimum} to ${maximum}`]);
    }
    if (samples !== null) {
      const { isInteger, longest } = samples;
      if (id !== null && (isInteger ? /^\d{1,15}(?:\.0)?$/.test(id) : id.length <= longest))
        return void listed.push(isInteger ? Number(id) : digestOf(id));
      const accepted = isInteger ? 'a whole number' : `at most ${longest} characters`;
      return this.#refuse(where(), 'the sample index', id, [accepted]);
    }
    const at = ids.all.size > 0 ? indexOfId(ids, id) : id === null ? 0 : undefined;
    if (at === undefined) return this.#refuse(where(), `output_type_id of ${name}`, id, ids.all);
    if (!Number.isNaN(values[at]))
      return this.#fault(`${where()}: a second row for ${name} ${id ?? ''}`.trimEnd());
    values[at] = value;
  }

  finish(): Combinations {
    for (const [key, { tasks, groups }] of this.#combinations) {
      for (const group of groups) this.#checkGroup(group, key);
      for (const { outputs } of tasks)
        for (const { name, isRequired } of outputs.values())
          if (isRequired && !groups.some(({ output }) => output.name === name))
            this.#fault(`${this.#named(key)}: the output type ${name} is required and missing`);
    }
    this.#checkRequired();
    if (this.#faults.length > 0) this.#throwFaults('');
    return this.#combinations;
  }

  #checkGroup(group: Group, key: string): void {
    const { output, values, samples: listed } = group;
    const { name, ids, samples } = output;
    const fault = (words: string) => this.#fault(`${this.#named(key)}: ${words}`);
    if (samples !== null) {
      const count = listed.length;
      if (new Set(listed).size < count) fault('a sample index occurs twice');
      if (count < samples.least || count > samples.most)
        fault(`${count} samples; accepted: ${samples.least} to ${samples.most}`);
      return;
    }
    const missing = ids.required.filter((id) => Number.isNaN(values[indexOfId(ids, id)!]));
    if (missing.length > 0) return fault(`${name} ${missing.join(', ')} is missing`);
    const given = givenValues(group);
    if (name === 'quantile' || name === 'cdf') {
      if (ids.isNumeric) given.sort((a, b) => Number(a.id) - Number(b.id));
      const at = given.findIndex(({ value }, rank) => value < (given[rank - 1]?.value ?? -Infinity));
      const [lower, higher] = [given[at - 1], given[at]];
      if (lower !== undefined && higher !== undefined)
        fault(`${name} ${higher.id} is ${higher.value}, below ${lower.value} of ${lower.id}`);
    }
    const sum = given.reduce((total, { value }) => total + value, 0);
    if (name === 'pmf' && Math.abs(sum - 1) > SUM_TOLERANCE)
      fault(`the probabilities sum to ${sum}, not to 1`);
  }

  /** A task that the file answers needs each required value of its task ids. */
  #checkRequired(): void {
    const { derived, variable, due } = this.#round;
    for (const [at, { name }] of this.#taskIds.entries()) {
      const seen = new Map<ModelTask, Set<string>>();
      const cells = new Set<string>();
      for (const [key, { tasks }] of this.#combinations) {
        const cell = cellsOf(key)[at]!;
        cells.add(cell);
        for (const task of tasks) seen.set(task, (seen.get(task) ?? new Set()).add(cell));
      }
      if (name === due.relativeTo && cells.size > 1)
        this.#fault(`${name} has ${cells.size} values, but submissions_due counts from it`);
      if (derived.includes(name) || name === variable) continue;
      for (const [task, given] of seen) {
        const missing = task.taskIds.get(name)?.required.filter((one) => !given.has(one)) ?? [];
        if (missing.length > 0) this.#fault(`${name} ${missing.join(', ')} is required and missing`);
      }
    }
  }
}

/** Not of samples. The id is empty if the output type has none. */
export const givenValues = ({ output: { ids }, values }: Group): { id: string; value: number }[] =>
  (ids.all.size > 0 ? [...ids.all] : [''])
    .map((id, at) => ({ id, value: values[at]! }))
    .filter(({ value }) => !Number.isNaN(value));

const indexes = new WeakMap<Values, Map<string, number>>();

function indexOfId(ids: Values, id: string | null): number | undefined {
  const known = indexes.get(ids) ?? new Map([...ids.all].map((one, at) => [one, at]));
  indexes.set(ids, known);
  return id === null ? undefined : known.get(normalCell(ids.isNumeric, id));
}

/** 52 bits: a group has too few samples for a collision. */
const digestOf = (text: string): number => Number(`0x${hash('sha256', text).slice(0, 13)}`);
