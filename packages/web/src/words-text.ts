import { type Forecast, readWords, VOID, type Words } from '@svc/protocol/conventions';
import { countText } from './format.ts';

interface ShownWords {
  parts: string[] | null;
  rest: string;
}

export function shownWords(content: string): ShownWords {
  const words = readWords(content);
  if (words.kind === 'text') return { parts: null, rest: content };
  return { parts: partsOf(words), rest: ('reasoning' in words ? words.reasoning : words.note).trim() };
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

function partsOf(words: Exclude<Words, { kind: 'text' }>): string[] {
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
        ? [countText(words.count, 'file')]
        : [countText(words.files.length, 'file'), ...words.files.map(({ name }) => name)];
    case 'log':
      return [`Log of ${countText(words.lines, 'line')}`];
    case 'scope':
      return [`Scope: ${words.subject}`, countText(words.accounts.length + 1, 'account')];
  }
}

export const forecastParts = (words: Forecast): string[] =>
  words.form === 'outcomes'
    ? words.outcomes.map(({ name, millionths }) => `${name} ${Number((millionths / 10_000).toFixed(4))} %`)
    : words.quantiles.map(({ level, value }) => `${level} % chance of at most ${value}`);
