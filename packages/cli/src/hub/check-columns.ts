import { failError } from '../exit.ts';
import type { ColumnKind, Table } from './model-output.ts';
import { DAY, type Round, type Values } from './read-hub.ts';

export const OUTPUT_COLUMNS = ['output_type', 'output_type_id', 'value'] as const;

/** The values that the tasks of a round accept in a column, where they accept any. */
function valuesOf({ tasks }: Round, name: string): Values[] {
  const values = tasks.flatMap(({ taskIds }) => taskIds.get(name) ?? []);
  return values.filter(({ all }) => all.size > 0);
}

export function isNumericColumn(round: Round, name: string): boolean {
  const values = valuesOf(round, name);
  return values.length > 0 && values.every(({ isNumeric }) => isNumeric);
}

/** @throws {CommandError} on missing or unknown columns, or on a Parquet type that does not fit the values */
export function refuseColumns(path: string, round: Round, { columns, kinds }: Table): void {
  const wanted = [...round.taskIds, ...OUTPUT_COLUMNS];
  const missing = wanted.filter((name) => !columns.includes(name)).join(', ');
  const others = columns.filter((name, at) => !wanted.includes(name) || columns.indexOf(name) !== at);
  const unknown = others.map((one) => JSON.stringify(one)).join(', ');
  if (missing + unknown !== '')
    throw failError(
      `${path} has wrong columns${missing && `, without ${missing}`}${unknown && `, with ${unknown} unknown or twice`}; the columns are ${wanted.join(', ')}`,
    );
  for (const name of wanted) {
    const [kind, accepted] = [kinds[columns.indexOf(name)]!, kindsOf(round, name)];
    if (kind !== 'any' && !accepted.includes(kind))
      throw failError(`${path}: the column ${name} has type ${kind}; accepted: ${accepted.join(', ')}`);
  }
}

function kindsOf(round: Round, name: string): ColumnKind[] {
  if (name === 'value') return ['number', 'integer'];
  if (name === 'output_type') return ['text'];
  const values = valuesOf(round, name);
  // An output_type_id is a level, a category or a sample.
  if (values.length === 0) return ['null', 'text', 'number', 'integer', 'date'];
  if (isNumericColumn(round, name)) return ['integer', 'number'];
  return values.every(({ all }) => [...all].every((one) => DAY.test(one))) ? ['date', 'text'] : ['text'];
}
