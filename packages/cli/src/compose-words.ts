import type { Command } from 'commander';
import {
  forecastMisfit,
  forecastWords,
  parseQuestion,
  readWords,
  scriptsWarning,
} from '@svc/protocol/conventions';
import { type Context, lines } from './context.ts';
import { EXIT, usageError } from './exit.ts';
import { asRefusal } from './files/find-files.ts';
import { collect } from './options.ts';

export interface WordsOptions {
  forecast: string[];
  asText: boolean;
}

export const withForecast = (command: Command): Command =>
  command
    .option(
      '--forecast <outcome=p>',
      'a probability (yes=0.72), one for each outcome (they sum to 1), or quantiles (q10=3 q50=5 q90=9); may be repeated. The text gives the reason',
      collect((pair: string) => pair),
      [],
    )
    .option(
      '--as-text',
      'etch the text unchanged, even if it begins like a forecast, a resolution or a list of files but is malformed',
      false,
    );

export function composeWords(text: string, { forecast, asText }: WordsOptions): string {
  if (forecast.length > 0)
    return asRefusal(
      () =>
        forecastWords(
          forecast.flatMap((pairs) => pairs.split(' ').filter((pair) => pair !== '')),
          text,
        ),
      EXIT.usage,
    );
  const read = readWords(text);
  if (!asText && read.kind === 'text' && read.reason !== null)
    throw usageError(
      `this would count as plain text only: ${read.reason}. Nothing was etched; correct it, or add --as-text to etch it as plain text`,
    );
  return text;
}

/** A name with letters of several scripts may look like a different outcome. */
export function warnOfScripts(names: readonly string[], { note }: Pick<Context, 'note'>): void {
  const warning = scriptsWarning(names);
  if (warning !== null) note(lines(`Careful: ${warning}. A reader may mistake it for another outcome.`));
}

export function warnOfForecast(content: string, context: Pick<Context, 'note'>): void {
  const words = readWords(content);
  if (words.kind === 'forecast' && words.form === 'outcomes')
    warnOfScripts(
      words.outcomes.map(({ name }) => name),
      context,
    );
}

export function refuseMisfit(content: string, question: string, { asText }: WordsOptions): void {
  const asked = parseQuestion(question);
  if (asked.asks === 'text' || asText) return;
  const read = readWords(content);
  const why =
    read.kind === 'forecast'
      ? forecastMisfit(read, asked)
      : 'the question asks for a forecast: give --forecast';
  if (why !== null)
    throw usageError(
      `this answer would count as malformed: ${why}. Nothing was etched; correct it, or add --as-text to etch it unchanged`,
    );
}
