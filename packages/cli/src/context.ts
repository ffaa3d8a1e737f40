import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { inert, inertJson } from './inert.ts';
import { httpUrl } from './options.ts';
import type { ServiceOptions } from './session.ts';

/** What a command has of the world. */
export interface Context {
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  out: (text: string) => void;
  /** progress and questions: never mixed with the result */
  note: (text: string) => void;
  finish(status: number): void;
  /** is progress shown to a person at a terminal? */
  terminal?: boolean;
}

/** Lines of a result, each one line whatever the texts of others hold. */
export const lines = (...texts: string[]): string => texts.map((text) => `${inert(text)}\n`).join('');

/** The result: as JSON when asked for, else in words. */
export function answer(context: Context, options: ServiceOptions, value: unknown, words: string[]): void {
  context.out(options.json ? `${inertJson(value)}\n` : lines(...words));
}

/** A result that is a list. At a terminal an empty list is said to be empty; a program reads nothing, as before. */
export function answerList(
  context: Context,
  options: ServiceOptions,
  value: unknown,
  words: string[],
  none: string,
): void {
  answer(context, options, value, words);
  if (words.length === 0 && !options.json && context.terminal === true) context.note(lines(none));
}

/** A line that a person types. */
export async function ask(question: string, { note, stdin }: Context): Promise<string> {
  note(question);
  const reader = createInterface({ input: stdin });
  const { value } = (await reader[Symbol.asyncIterator]().next()) as { value?: string };
  reader.close();
  return value ?? '';
}

/** A command that asks a service, with an example or two at the end of its help. */
export function serviceCommand(name: string, description: string, examples: string[]): Command {
  return new Command(name)
    .description(description)
    .option('--profile <name>', 'the account to use (default: SVC_PROFILE, or the one in use)')
    .option('--base-url <url>', 'the service (default: SVC_BASE_URL, or the profile’s)', httpUrl)
    .option('--json', 'print the result as JSON', false)
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}\n`).join('')}`);
}
