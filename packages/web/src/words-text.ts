import { type Forecast, readWords, VOID, type Words } from '@svc/protocol/conventions';

export interface ShownWords {
  parts: string[] | null;
  rest: string;
}

export function shownWords(content: string): ShownWords {
  const words = readWords(content);
  const parts = partsOf(words);
  if (parts === null) return { parts, rest: content };
  return { parts, rest: 'reasoning' in words ? words.reasoning.trim() : '' };
}

/** Leaves out the lines of forecasts and files, which pages show as fields. */
export function freeText(content: string): string {
  const words = readWords(content);
  if ('reasoning' in words) return words.reasoning.trim();
  return words.kind === 'files' ? words.note.trim() : content;
}

/** Files under a root can be shown only with their manifest. */
export function isRoot(content: string): boolean {
  const words = readWords(content);
  return words.kind === 'files' && words.form === 'root';
}

export function wordsText(content: string): string {
  const { parts, rest } = shownWords(content);
  if (parts === null) return content;
  return rest === '' ? parts.join(' · ') : `${parts.join(' · ')}\n${rest}`;
}

function partsOf(words: Words): string[] | null {
  switch (words.kind) {
    case 'forecast':
      return forecastParts(words);
    case 'resolution':
      return [
        words.outcome === VOID ? 'Resolved as void' : `Outcome: ${words.outcome}`,
        `Source: ${words.source}`,
      ];
    case 'files':
      return words.form === 'root'
        ? [fileCount(words.count)]
        : [fileCount(words.files.length), ...words.files.map(({ name }) => name)];
    case 'log':
      return [`Log of ${words.lines.toLocaleString('en')} ${words.lines === 1 ? 'line' : 'lines'}`];
    case 'scope':
      return [`Scope: ${words.subject}`, accountCount(words.accounts.length + 1)];
    case 'text':
      return null;
  }
}

const fileCount = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'}`;

const accountCount = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'account' : 'accounts'}`;

const forecastParts = (words: Forecast): string[] =>
  words.form === 'outcomes'
    ? words.outcomes.map(({ name, millionths }) => `${name} ${Number((millionths / 10_000).toFixed(4))} %`)
    : words.quantiles.map(({ level, value }) => `${level} % at most ${value}`);
