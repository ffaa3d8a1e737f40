// Prints rows of a hub as a table, CSV or Markdown. The names of columns are those of the JSON.
import { printable } from '../context.ts';

export const FORMATS = ['table', 'csv', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

export function printRows(format: Format, columns: readonly string[], rows: readonly object[]): string[] {
  const cells = rows.map((row) =>
    columns.map((name) => cellOf((row as Record<string, Cell>)[name] ?? null, format)),
  );
  if (format === 'csv') return [columns, ...cells].map(csvLine);
  const head = columns.map((name) => name.replaceAll('_', ' '));
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  if (format === 'markdown')
    return [head, head.map(() => '---'), ...cells.map((row) => row.map(markdownCell))].map(line);
  const all = [head, ...cells.map((row) => row.map(printable))];
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]!.length)));
  return all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}

type Cell = string | number | null;

/** CSV has all digits of a number. */
function cellOf(value: Cell | readonly string[] | { mean: Cell }, format: Format): string {
  if (Array.isArray(value)) return value.join(' ');
  const cell = typeof value === 'object' && value !== null && 'mean' in value ? value.mean : (value as Cell);
  const isShortened = typeof cell === 'number' && !Number.isInteger(cell) && format !== 'csv';
  return isShortened ? cell.toFixed(4) : String(cell ?? '');
}

/** A cell that a spreadsheet would read as a formula begins with an apostrophe. */
const csvLine = (cells: readonly string[]): string =>
  cells
    .map((cell) => cell.replace(/^[=+@\t]/, "'$&"))
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');

/** A code span: no text of a cell is a link, an address that GitHub links, an image, a mention or HTML. */
export function markdownCell(cell: string): string {
  const text = printable(cell).replaceAll('`', "'").replace(/[\\|]/g, '/').trim();
  return text && `\`${text}\``;
}
