import { printable } from '../context.ts';
import { onDevelopment, type Result } from '../verdict-words.ts';
import type { HubReport } from './check.ts';

export const FORMATS = ['table', 'csv', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

type Cells = readonly string[];

const FILE_HEAD = [
  'round',
  'model',
  'file',
  'state',
  'result',
  'time proven',
  'proof',
  'account',
  'etch',
  'detail',
];
/** Left out of the table of a terminal: round and model name the file. */
const WIDE = ['file', 'etch'];
const MODEL_HEAD = ['model', 'account', 'on time', 'files', 'rounds missing', 'record', 'result'];

const fileCells = ({ rows }: HubReport): Cells[] =>
  rows.map((row) => [
    row.round,
    row.model,
    row.file,
    row.state,
    row.result,
    row.time ?? '',
    row.proof ?? '',
    row.account ?? '',
    row.etch ?? '',
    row.detail,
  ]);

const modelCells = ({ models }: HubReport): Cells[] =>
  models.map((row) => [
    row.model,
    row.accounts.join(' '),
    String(row.onTime),
    String(row.files),
    row.missing.join(' '),
    row.record,
    row.result,
  ]);

const VERDICTS: Record<Result, string> = {
  pass: 'PASS: every file was on time, and every record is whole.',
  fail: 'FAIL: a claim does not hold; the rows name it.',
  wait: 'WAIT: not everything can be proven now; nothing that was read contradicts the hub.',
};

export function reportWords(report: HubReport, format: Format): string[] {
  const words = VERDICTS[report.result];
  const verdict = report.result === 'pass' ? onDevelopment(words, report.isDevelopment) : words;
  const [files, models] = [fileCells(report), modelCells(report)];
  if (format === 'csv') return [FILE_HEAD, ...files].map(csvLine);
  if (format === 'markdown')
    return [
      `**${report.hub.name}**: ${verdict}`,
      '',
      ...markdown(FILE_HEAD, files),
      '',
      ...markdown(MODEL_HEAD, models),
    ];
  const narrow = (cells: Cells) => cells.filter((_, at) => !WIDE.includes(FILE_HEAD[at]!));
  return [...table(narrow(FILE_HEAD), files.map(narrow)), '', ...table(MODEL_HEAD, models), '', verdict];
}

export const table = (head: Cells, rows: readonly Cells[]): string[] => {
  const all = [head, ...rows].map((cells) => cells.map(printable));
  const widths = head.map((_, at) => Math.max(...all.map((cells) => cells[at]!.length)));
  return all.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
};

/** A cell that a spreadsheet would read as a formula begins with an apostrophe. */
export const csvLine = (cells: Cells): string =>
  cells
    .map((cell) => cell.replace(/^[=+@\t]/, "'$&"))
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');

/** No text of a cell can be a link, an image, a mention or HTML. */
const markdownCell = (cell: string): string =>
  printable(cell).replace(/[\\`*_[\]<>|#!@~&]/g, (sign) => `&#${sign.codePointAt(0)};`);

export const markdown = (head: Cells, rows: readonly Cells[]): string[] =>
  [head, head.map(() => '---'), ...rows.map((cells) => cells.map(markdownCell))].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
