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

/** `1.0` is `1`; `01` stays, because it is a location. */
export const keyOf = (cells: readonly (string | null)[]): string =>
  cells.map((cell) => cell?.replace(/^(-?(?:0|[1-9]\d*))\.0+$/, '$1') ?? '').join('\u001f');

export async function readOutcomes(path: string, hub: Hub, context: Context): Promise<Outcomes> {
  const table = await openTable(path, makeProgress(context));
  const taskIds = new Set(hub.rounds.flatMap((round) => round.taskIds));
  const columns = table.columns.filter((name) => taskIds.has(name));
  const value = ['oracle_value', 'observation'].find((name) => table.columns.includes(name));
  if (value === undefined || columns.length === 0)
    throw failError(
      `${path} has no outcomes: it needs the column oracle_value or observation, and task ids such as location`,
    );
  const numbers = new Map<string, number>();
  const categories = new Map<string, string>();
  const versions = new Map<string, string>();
  const take = (row: Row) => {
    const cell = (name: string) => row[table.columns.indexOf(name)] ?? '';
    const key = keyOf(columns.map(cell));
    const [type, found, version] = [cell('output_type'), cell(value), cell('as_of')];
    if (found === '' || !Number.isFinite(Number(found)) || type === 'cdf') return;
    const isCategory = type === 'pmf';
    if (isCategory && Number(found) !== 1) return;
    const outcome = isCategory ? cell('output_type_id') : Number(found);
    const all: Map<string, string | number> = isCategory ? categories : numbers;
    // The newest version of a time series counts.
    const of = `${isCategory} ${key}`;
    const known = versions.get(of) ?? '';
    if (version < known) return;
    const other = all.get(key);
    if (version === known && other !== undefined && other !== outcome)
      throw failError(
        `${path} has two outcomes, ${other} and ${outcome}, for ${columns.map((name) => `${name} ${cell(name)}`).join(', ')}: its columns that are task ids do not distinguish them. Remove one, or use the oracle output of the hub`,
      );
    versions.set(of, version);
    all.set(key, outcome);
  };
  for await (const chunk of table.rows) for (const row of chunk) take(row);
  return { columns, numbers, categories };
}
