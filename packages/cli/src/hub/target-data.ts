// Reads the outcomes of a hub: oracle output (oracle_value) or a time series (observation), as CSV or Parquet.
import { type Context, makeProgress } from '../context.ts';
import { failError } from '../exit.ts';
import { openTable, type Row } from './model-output.ts';
import type { Hub } from './read-hub.ts';

export interface Outcomes {
  /** task ids that the file has, by which an outcome is found */
  columns: readonly string[];
  /** by the values of the columns */
  numbers: ReadonlyMap<string, number>;
  categories: ReadonlyMap<string, string>;
}

export const keyOf = (cells: readonly (string | null)[]): string =>
  cells.map((cell) => normal(cell ?? '')).join('\u001f');

/** `1.0` is `1`; `01` stays, because it is a location. */
const normal = (cell: string): string =>
  /^-?(?:0|[1-9]\d*)\.0+$/.test(cell) ? cell.replace(/\.0+$/, '') : cell;

export async function readOutcomes(path: string, hub: Hub, context: Context): Promise<Outcomes> {
  const table = await openTable(path, makeProgress(context));
  const at = (name: string) => table.columns.indexOf(name);
  const taskIds = new Set(hub.rounds.flatMap((round) => round.taskIds));
  const columns = table.columns.filter((name) => taskIds.has(name));
  const value = at('oracle_value') === -1 ? at('observation') : at('oracle_value');
  if (value === -1 || columns.length === 0)
    throw failError(
      `${path} has no outcomes: it needs the column oracle_value or observation, and task ids such as location`,
    );
  const numbers = new Map<string, number>();
  const categories = new Map<string, string>();
  const versions = new Map<string, string>();
  const take = (row: Row) => {
    const key = keyOf(columns.map((name) => row[at(name)] ?? null));
    const [type, id, version] = ['output_type', 'output_type_id', 'as_of'].map((name) => row[at(name)] ?? '');
    const found = row[value] ?? '';
    if (found === '' || !Number.isFinite(Number(found))) return;
    if (type === 'pmf') {
      if (Number(found) === 1) categories.set(key, id!);
      return;
    }
    // The newest version of a time series counts.
    if (type === 'cdf' || version! < (versions.get(key) ?? '')) return;
    versions.set(key, version!);
    numbers.set(key, Number(found));
  };
  for await (const chunk of table.rows()) for (const row of chunk) take(row);
  return { columns, numbers, categories };
}
