import { createInterface } from 'node:readline/promises';
import { escapeInvisibleInLine, escapeInvisibleInJson } from '@svc/protocol';

export interface Context {
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  out: (text: string) => void;
  note: (text: string) => void;
  finish(status: number): void;
  terminal?: boolean;
}

/** `value` is printed with `--json`, or when there are no words. Otherwise each word is a line. */
export interface Shown {
  value: unknown;
  words?: string[];
  /** printed to a terminal after an empty list */
  none?: string;
  status?: number;
}

export const lines = (...texts: string[]): string => texts.map((text) => `${printable(text)}\n`).join('');

/** The texts if the condition holds. */
export const when = (condition: boolean, ...texts: string[]): string[] => (condition ? texts : []);

/** To standard error. */
export const say = ({ note }: Pick<Context, 'note'>, ...texts: string[]): void => note(lines(...texts));

/** Without the fields that are null or undefined. */
export const present = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };

export async function ask(question: string, { note, stdin }: Context): Promise<string> {
  note(question);
  const reader = createInterface({ input: stdin });
  const { value } = (await reader[Symbol.asyncIterator]().next()) as { value?: string };
  reader.close();
  return value ?? '';
}

/** Escapes control, reordering and invisible characters as `\u001b`, for one line of a terminal. */
export const printable = escapeInvisibleInLine;

export const printableJson = (value: unknown): string =>
  escapeInvisibleInJson(JSON.stringify(value, null, 2));

export const printableJsonLine = (value: unknown): string => escapeInvisibleInJson(JSON.stringify(value));

const COLORS = { PASS: 32, AGREES: 32, FAIL: 31, WAIT: 33 } as const;
/** These commands' lines begin with a verdict, never with an author's text. */
const JUDGING: ReadonlySet<string | undefined> = new Set(['verify', 'audit']);

/** https://no-color.org */
export const wantsColors = (
  { NO_COLOR, TERM }: NodeJS.ProcessEnv,
  isTerminal: boolean | undefined,
): boolean => isTerminal === true && !NO_COLOR && TERM !== 'dumb';

export const painter =
  (command: string | undefined) =>
  (text: string): string =>
    JUDGING.has(command)
      ? text.replaceAll(
          /^(PASS|AGREES|FAIL|WAIT)(?=:| {2})/gm,
          (word) => `\u001b[${COLORS[word as keyof typeof COLORS]}m${word}\u001b[39m`,
        )
      : text;

export type Progress = ReturnType<typeof makeProgress>;

const BAR_WIDTH = 24;
const TERMINAL_EVERY_MS = 100;
const ELSEWHERE_EVERY_MS = 10_000;

export function makeProgress({ note, terminal = false }: Pick<Context, 'note' | 'terminal'>) {
  let last = -Infinity;
  let drawn = 0;
  return {
    show(label: string, done: number, total: number | null): void {
      const isEnd = done === total;
      const now = performance.now();
      if (now - last < (terminal ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS) && !(terminal && isEnd)) return;
      last = now;
      const of = total === null ? '' : ` of ${counted(total)}`;
      const words = printable(`${label} ${counted(done)}${of}`);
      if (!terminal) return note(`${words}\n`);
      const line = bar(done, total) + words;
      note(`\r${line.padEnd(drawn)}`);
      drawn = line.length;
    },
    clear(): void {
      if (terminal && drawn > 0) note(`\r${' '.repeat(drawn)}\r`);
      drawn = 0;
    },
  };
}

function bar(done: number, total: number | null): string {
  if (total === null) return '';
  const full = total === 0 ? BAR_WIDTH : Math.floor((Math.min(done, total) / total) * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}] `;
}

const counted = (value: number) => value.toLocaleString('en-US');
