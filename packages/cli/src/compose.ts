import { asRefusal, CommandError, EXIT, reworded, usageError } from './exit.ts';
import { flag, type InputOf, many } from './command.ts';
import {
  ConventionError,
  forecastMisfit,
  forecastPairs,
  forecastWords,
  parseQuestion,
  readWords,
  scriptsWarning,
} from '@svc/protocol/conventions';
import { type Context, say } from './context.ts';
import type { ServiceOptions } from './options.ts';
import { type Client, type ComposedResolution, composeResolution } from '@svc/sdk';
import { challengeOfUrl, findChallengeId, findEtchId } from './find-named.ts';
import { openSession } from './session.ts';

export const FORECAST = {
  '--forecast <outcome=p>': many(
    'a probability (yes=0.72 or "New York=0.6"), one for each outcome (they sum to 1), or quantiles (q10=3 q50=5 q90=9); may be repeated. The text gives the reason',
  ),
  '--as-text': flag(
    'etch the text unchanged, even if it begins like a forecast, a resolution or a list of files but is malformed',
  ),
};
type WordsOptions = InputOf<typeof FORECAST>;

export function composeWords(text: string, { forecast, asText }: WordsOptions): string {
  if (forecast.length > 0)
    return asRefusal(() => forecastWords(forecast.flatMap(forecastPairs), text), EXIT.usage);
  const read = readWords(text);
  if (!asText && read.kind === 'text' && read.reason !== null)
    throw usageError(
      `this would count as plain text only: ${read.reason}. Nothing was etched; correct it, or add --as-text to etch it as plain text`,
    );
  return text;
}

/** A name with letters of several scripts may look like a different outcome. */
export function warnOfScripts(names: readonly string[], context: Pick<Context, 'note'>): void {
  const warning = scriptsWarning(names);
  if (warning !== null) say(context, `Careful: ${warning}. A reader may mistake it for another outcome.`);
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
  const format = parseQuestion(question);
  if (format.asks === 'text' || asText) return;
  const read = readWords(content);
  const why =
    read.kind === 'forecast'
      ? forecastMisfit(read, format)
      : 'the question asks for a forecast: give --forecast';
  if (why !== null)
    throw usageError(
      `this answer would count as malformed: ${why}. Nothing was etched; correct it, or add --as-text to etch it unchanged`,
    );
}

export const RESOLUTION = {
  '--resolve <challenge|etch>': 'state the outcome of a challenge you asked, or of a forecast you made',
  '--outcome <outcome>': 'with --resolve: an outcome, a number, or void',
  '--source <words>': 'with --resolve: where anyone can check the outcome',
};
type ResolveOptions = ServiceOptions & InputOf<typeof RESOLUTION> & { description?: string };

/**
 * The description names the target even after a retraction.
 * @returns undefined without --resolve
 */
export async function resolutionOf(
  { resolve, outcome, source, ...options }: ResolveOptions,
  reasoning: string,
  context: Context,
): Promise<ComposedResolution | undefined> {
  if (resolve === undefined) {
    if ((outcome ?? source) === undefined) return undefined;
    throw usageError('--outcome and --source require --resolve');
  }
  if (outcome === undefined || source === undefined)
    throw usageError('--resolve requires --outcome and --source');
  const { client } = openSession(options, context.env);
  const id =
    challengeOfUrl(resolve) === undefined
      ? await findEtchId(resolve, client.origin).catch((error: unknown) =>
          orChallenge(error, resolve, client),
        )
      : await findChallengeId(resolve, client.origin);
  const parts = { outcome, source, reasoning, description: options.description };
  return reworded(
    () => composeResolution(client, id, parts),
    ConventionError,
    (message) => usageError(`${message}. Nothing was etched`),
  );
}

/** An unknown code may be a challenge's. */
async function orChallenge(error: unknown, named: string, { origin }: Client): Promise<string> {
  const isNone = error instanceof CommandError && error.status === EXIT.input;
  if (!isNone || named.includes('/')) throw error;
  return findChallengeId(named, origin).catch(() => Promise.reject(error));
}
