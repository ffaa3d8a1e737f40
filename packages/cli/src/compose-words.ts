import type { Command } from 'commander';
import {
  forecastMisfit,
  forecastWords,
  parseQuestion,
  readWords,
  scriptsWarning,
} from '@svc/protocol/conventions';
import { lines } from './context.ts';
import type { Context } from './context.ts';
import { CommandError, EXIT } from './exit.ts';
import { asRefusal } from './files/find-files.ts';
import { collect } from './options.ts';

export interface WordsOptions {
  forecast: string[];
  asText: boolean;
}

/** What commands take that etch words of a convention (docs/conventions.md#forecasts). */
export const withForecast = (command: Command): Command =>
  command
    .option(
      '--forecast <outcome=p>',
      'a probability: yes=0.72, or each outcome with its own (they sum to 1), or quantiles (q10=3 q50=5 q90=9); may be repeated. The text is its reason',
      collect((pair: string) => pair),
      [],
    )
    .option(
      '--as-text',
      'etch words as they are, though they begin as a forecast, a resolution or files and are none',
      false,
    );

/**
 * The words of a forecast with its reason below, or the text as it is.
 * @throws {CommandError} on words that begin as a convention and are none: their author would take them for one
 */
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
    throw new CommandError(
      EXIT.usage,
      `this would be a text and no more: ${read.reason}. Nothing was etched; to etch it as a text, add --as-text`,
    );
  return text;
}

/** An outcome whose letters are of several scripts may look like another one. */
export function warnOfScripts(names: readonly string[], { note }: Pick<Context, 'note'>): void {
  const warning = scriptsWarning(names);
  if (warning !== null) note(lines(`Careful: ${warning}. It may be taken for another outcome.`));
}

export function warnOfForecast(content: string, context: Pick<Context, 'note'>): void {
  const words = readWords(content);
  if (words.kind === 'forecast' && words.form === 'outcomes')
    warnOfScripts(
      words.outcomes.map(({ name }) => name),
      context,
    );
}

/** @throws {CommandError} on an answer that would be counted as malformed */
export function refuseMisfit(content: string, question: string, { asText }: WordsOptions): void {
  const asked = parseQuestion(question);
  if (asked.asks === 'text' || asText) return;
  const read = readWords(content);
  const why =
    read.kind === 'forecast'
      ? forecastMisfit(read, asked)
      : 'the question asks for a forecast: give --forecast';
  if (why !== null)
    throw new CommandError(
      EXIT.usage,
      `this answer would be counted as malformed: ${why}. Nothing was etched; to etch it all the same, add --as-text`,
    );
}
