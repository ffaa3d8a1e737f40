// Checks a model-output file against tasks.json. Memory grows with the tasks, at eight bytes a value, and not with the text of the file.
import type { Progress } from '../context.ts';
import { failError } from '../exit.ts';
import { type ColumnKind, openTable, type Row, type Table } from './model-output.ts';
import { DAY, type ModelTask, type OutputType, type Round, type Values } from './read-hub.ts';

const MOST_FAULTS = 10;
/** As R's all.equal, by which hubValidations compares. */
const SUM_TOLERANCE = 1.5e-8;
const OUTPUT_COLUMNS = ['output_type', 'output_type_id', 'value'];

/** The values of one output type for one combination of task ids. */
interface Group {
  output: OutputType;
  /** where its values begin in the pool, in the order of the ids; NaN: missing */
  at: number;
  count: number;
  /** the sample indexes, in the order of the file */
  samples: Float64Array;
}

interface Combination {
  tasks: readonly ModelTask[];
  groups: Group[];
}

const NO_SAMPLES = new Float64Array(0);

/** One array for all groups: an array of its own costs each group more than its values. */
class ValuePool {
  values = new Float64Array(65_536);
  #used = 0;

  take(count: number): number {
    const at = this.#used;
    this.#used += count;
    if (this.#used > this.values.length) {
      const larger = new Float64Array(this.values.length * 2 + count);
      larger.set(this.values);
      this.values = larger;
    }
    this.values.fill(Number.NaN, at, this.#used);
    return at;
  }
}

/** @throws {CommandError} with up to ten faults */
export async function checkFile(
  path: string,
  { round, roundId }: { round: Round; roundId: string },
  progress: Progress,
): Promise<{ rows: number }> {
  const table = await openTable(path, progress);
  const checker = new FileChecker(path, round, roundId, table);
  let rows = 0;
  for await (const chunk of table.rows()) for (const row of chunk) checker.add(row, rows++);
  if (rows === 0) throw failError(`${path} has no row`);
  checker.finish();
  return { rows };
}

class FileChecker {
  readonly #path: string;
  readonly #round: Round;
  readonly #roundId: string;
  readonly #place: Table['place'];
  readonly #faults: string[] = [];
  readonly #taskIds: readonly { name: string; at: number; isNumeric: boolean }[];
  readonly #at: Readonly<Record<'type' | 'id' | 'value', number>>;
  readonly #combinations = new Map<string, Combination>();
  /** equal lists are one object */
  readonly #taskLists = new Map<string, ModelTask[]>();
  readonly #pool = new ValuePool();

  constructor(path: string, round: Round, roundId: string, table: Table) {
    const { columns, kinds } = table;
    this.#path = path;
    this.#round = round;
    this.#roundId = roundId;
    this.#place = (row) => table.place(row);
    const wanted = [...round.taskIds, ...OUTPUT_COLUMNS];
    const missing = wanted.filter((name) => !columns.includes(name));
    const others = columns.filter((name, at) => !wanted.includes(name) || columns.indexOf(name) !== at);
    if (missing.length + others.length > 0)
      throw failError(
        `${path} has wrong columns${missing.length > 0 ? `, without ${missing.join(', ')}` : ''}${others.length > 0 ? `, with ${others.map((one) => JSON.stringify(one)).join(', ')} unknown or twice` : ''}; the columns are ${wanted.join(', ')}`,
      );
    const [type, id, value] = OUTPUT_COLUMNS.map((name) => columns.indexOf(name)) as [number, number, number];
    this.#at = { type, id, value };
    this.#taskIds = round.taskIds.map((name) => ({
      name,
      at: columns.indexOf(name),
      isNumeric: this.#valuesOf(name).every(({ isNumeric }) => isNumeric),
    }));
    for (const name of wanted) this.#checkKind(name, kinds[columns.indexOf(name)]!);
  }

  #valuesOf(name: string): Values[] {
    const values = this.#round.tasks.flatMap(({ taskIds }) => taskIds.get(name) ?? []);
    return values.filter(({ all }) => all.size > 0);
  }

  #checkKind(name: string, kind: ColumnKind): void {
    const accepted = this.#kindsOf(name);
    if (kind === 'any' || accepted.includes(kind)) return;
    throw failError(`${this.#path}: the column ${name} has type ${kind}; accepted: ${accepted.join(', ')}`);
  }

  #kindsOf(name: string): ColumnKind[] {
    if (name === 'value') return ['number', 'integer'];
    if (name === 'output_type') return ['text'];
    if (name === 'output_type_id') return ['text', 'number', 'integer', 'date', 'null'];
    const values = this.#valuesOf(name);
    if (values.length === 0) return ['null', 'text', 'number', 'integer', 'date'];
    if (values.every(({ isNumeric }) => isNumeric)) return ['integer', 'number'];
    return values.every(({ all }) => [...all].every((one) => DAY.test(one))) ? ['date', 'text'] : ['text'];
  }

  #fault(words: string): void {
    this.#faults.push(words);
    if (this.#faults.length === MOST_FAULTS) this.#throwFaults();
  }

  #throwFaults(): void {
    if (this.#faults.length === 0) return;
    const more = this.#faults.length === MOST_FAULTS ? '; and perhaps more' : '';
    throw failError(`${this.#path} does not fit hub-config/tasks.json: ${this.#faults.join('; ')}${more}`);
  }

  add(row: Row, index: number): void {
    const cells = this.#taskIds.map(({ at, isNumeric }) => {
      const cell = row[at] ?? null;
      return cell !== null && isNumeric && !Number.isNaN(Number(cell)) ? String(Number(cell)) : cell;
    });
    const key = cells.join('\u001f');
    let combination = this.#combinations.get(key);
    if (combination === undefined) {
      const tasks = this.#findTasks(cells, index);
      if (tasks === null) return;
      this.#combinations.set(key, (combination = { tasks, groups: [] }));
    }
    const type = row[this.#at.type] ?? '';
    const known = combination.groups.find(({ output }) => output.name === type);
    const group = known ?? this.#newGroup(combination, type, index);
    if (group === null) return;
    this.#addValue(group, row, () => `${this.#place(index)} (${this.#named(key)})`);
  }

  #newGroup({ tasks, groups }: Combination, type: string, index: number): Group | null {
    const output = tasks.map(({ outputs }) => outputs.get(type)).find((one) => one !== undefined);
    if (output === undefined) {
      const accepted = new Set(tasks.flatMap(({ outputs }) => [...outputs.keys()]));
      this.#fault(
        `${this.#place(index)}: output_type is ${JSON.stringify(type)}; accepted: ${[...accepted].join(', ')}`,
      );
      return null;
    }
    const at = output.samples === null ? this.#pool.take(Math.max(1, output.ids.length)) : 0;
    const group = { output, at, count: 0, samples: NO_SAMPLES };
    groups.push(group);
    return group;
  }

  #named(key: string): string {
    const cells = key.split('\u001f');
    return this.#taskIds.map(({ name }, at) => `${name} ${cells[at] || 'NA'}`).join(', ');
  }

  #findTasks(cells: readonly (string | null)[], index: number): ModelTask[] | null {
    for (const [at, { name }] of this.#taskIds.entries()) {
      const cell = cells[at] ?? null;
      const shown = cell === null ? 'missing' : JSON.stringify(cell);
      if (name === this.#round.variable && cell !== this.#roundId) {
        this.#fault(
          `${this.#place(index)}: ${name} is ${shown}, but the file's name says round ${this.#roundId}`,
        );
        return null;
      }
      if (this.#round.tasks.some((task) => accepts(task, name, cell))) continue;
      const known = [...new Set(this.#valuesOf(name).flatMap(({ all }) => [...all]))];
      const listed = known.slice(0, 8).join(', ') + (known.length > 8 ? `, … (${known.length} values)` : '');
      this.#fault(`${this.#place(index)}: ${name} is ${shown}; accepted: ${listed || 'NA'}`);
      return null;
    }
    const tasks = this.#round.tasks.filter((task) =>
      this.#taskIds.every(({ name }, at) => accepts(task, name, cells[at] ?? null)),
    );
    if (tasks.length > 0) {
      const list = tasks.map((task) => this.#round.tasks.indexOf(task)).join();
      if (!this.#taskLists.has(list)) this.#taskLists.set(list, tasks);
      return this.#taskLists.get(list)!;
    }
    this.#fault(`${this.#place(index)}: no model task accepts ${this.#named(cells.join('\u001f'))}`);
    return null;
  }

  #addValue(group: Group, row: Row, where: () => string): void {
    const { output } = group;
    const [id, written] = [row[this.#at.id] ?? null, row[this.#at.value] ?? null];
    const value = written === null || written.trim() === '' ? Number.NaN : Number(written);
    const { type, minimum, maximum } = output.value;
    if (!Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value)))
      return this.#fault(
        `${where()}: value is ${written === null ? 'missing' : JSON.stringify(written)}, not ${type === 'integer' ? 'an integer' : 'a number'}`,
      );
    if (value < minimum || value > maximum)
      return this.#fault(`${where()}: value is ${value}; accepted: from ${minimum} to ${maximum}`);
    if (output.samples !== null) return this.#addSample(group, id, where);
    const at = output.ids.length > 0 ? indexOfId(output, id) : id === null ? 0 : -1;
    if (at === -1)
      return this.#fault(
        `${where()}: output_type_id of ${output.name} is ${id === null ? 'missing' : JSON.stringify(id)}; accepted: ${output.ids.join(', ') || 'NA'}`,
      );
    const slot = group.at + at;
    if (!Number.isNaN(this.#pool.values[slot]!))
      return this.#fault(`${where()}: a second row for ${output.name} ${id ?? ''}`.trimEnd());
    this.#pool.values[slot] = value;
  }

  #addSample(group: Group, id: string | null, where: () => string): void {
    const { isInteger, longest } = group.output.samples!;
    if (id === null || (isInteger ? !/^\d{1,15}(?:\.0)?$/.test(id) : id.length > longest))
      return this.#fault(
        `${where()}: the sample index is ${JSON.stringify(id)}; accepted: ${isInteger ? 'a whole number' : `at most ${longest} characters`}`,
      );
    if (group.count === group.samples.length) {
      const larger = new Float64Array(Math.max(16, group.samples.length * 2));
      larger.set(group.samples);
      group.samples = larger;
    }
    group.samples[group.count++] = isInteger ? Number(id) : digestOf(id);
  }

  finish(): void {
    for (const [key, { tasks, groups }] of this.#combinations) {
      for (const group of groups) this.#checkGroup(group, () => this.#named(key));
      for (const { outputs } of tasks)
        for (const { name, isRequired } of outputs.values())
          if (isRequired && !groups.some(({ output }) => output.name === name))
            this.#fault(`${this.#named(key)}: the output type ${name} is required and missing`);
    }
    this.#checkRequired();
    this.#throwFaults();
  }

  #checkGroup({ output, at: first, count, samples: listed }: Group, where: () => string): void {
    const { name, ids, requiredIds, samples } = output;
    if (samples !== null) {
      const used = listed.subarray(0, count).sort();
      if (used.some((one, at) => one === used[at - 1]))
        this.#fault(`${where()}: a sample index occurs twice`);
      if (count < samples.least || count > samples.most)
        this.#fault(`${where()}: ${count} samples; accepted: ${samples.least} to ${samples.most}`);
      return;
    }
    const values = this.#pool.values.subarray(first, first + Math.max(1, ids.length));
    const missing = requiredIds.filter((id) => Number.isNaN(values[ids.indexOf(id)]!));
    if (missing.length > 0) return this.#fault(`${where()}: ${name} ${missing.join(', ')} is missing`);
    if (name === 'quantile' || name === 'cdf') this.#checkOrder(output, values, where);
    const sum = values.reduce((total, value) => total + (value || 0), 0);
    if (name === 'pmf' && Math.abs(sum - 1) > SUM_TOLERANCE)
      this.#fault(`${where()}: the probabilities sum to ${sum}, not to 1`);
  }

  #checkOrder({ name, ids, hasNumericIds }: OutputType, values: Float64Array, where: () => string): void {
    const order = ids.map((_, at) => at).filter((at) => !Number.isNaN(values[at]!));
    if (hasNumericIds) order.sort((a, b) => Number(ids[a]) - Number(ids[b]));
    const fall = order.findIndex((at, rank) => rank > 0 && values[at]! < values[order[rank - 1]!]!);
    if (fall === -1) return;
    const [lower, higher] = [order[fall - 1]!, order[fall]!];
    this.#fault(
      `${where()}: ${name} ${ids[higher]} is ${values[higher]}, below ${values[lower]} of ${ids[lower]}`,
    );
  }

  /** A task that the file answers needs each required value of its task ids. */
  #checkRequired(): void {
    const seen = this.#taskIds.map(() => new Map<ModelTask, Set<string>>());
    for (const [key, { tasks }] of this.#combinations)
      for (const [at, cell] of key.split('\u001f').entries())
        for (const task of tasks) {
          const cells = seen[at]!.get(task) ?? new Set();
          seen[at]!.set(task, cells.add(cell));
        }
    for (const [at, { name }] of this.#taskIds.entries())
      for (const [task, cells] of seen[at]!) {
        if (this.#round.derived.has(name) || name === this.#round.variable) continue;
        const missing = task.taskIds.get(name)?.required.filter((one) => !cells.has(one)) ?? [];
        if (missing.length > 0) this.#fault(`${name} ${missing.join(', ')} is required and missing`);
      }
    const { relativeTo } = this.#round.due;
    const column = this.#taskIds.findIndex(({ name }) => name === relativeTo);
    const dates = new Set([...this.#combinations.keys()].map((key) => key.split('\u001f')[column]));
    if (column !== -1 && dates.size > 1)
      this.#fault(`${relativeTo} has ${dates.size} values, but submissions_due counts from it`);
  }
}

function accepts({ taskIds }: ModelTask, name: string, cell: string | null): boolean {
  const all = taskIds.get(name)?.all;
  return cell === null ? all === undefined || all.size === 0 : all?.has(cell) === true;
}

const indexes = new WeakMap<OutputType, Map<string, number>>();

/** Levels are compared as numbers, because programs write 0.3 as 0.30000000000000004. */
const normalId = ({ hasNumericIds }: OutputType, id: string): string =>
  hasNumericIds && id.trim() !== '' ? String(Number(Number(id).toFixed(9))) : id;

function indexOfId(output: OutputType, id: string | null): number {
  let known = indexes.get(output);
  if (known === undefined) {
    known = new Map(output.ids.map((one, at) => [normalId(output, one), at]));
    indexes.set(output, known);
  }
  return id === null ? -1 : (known.get(normalId(output, id)) ?? -1);
}

/** 53 bits of two 32-bit FNV-1a hashes: a group has too few samples for a collision. */
function digestOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(at), 0x5bd1e995);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
