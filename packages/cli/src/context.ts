import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { inert, inertJson } from './inert.ts';
import { httpUrl } from './options.ts';
import type { ServiceOptions } from './session.ts';

export interface Context {
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  out: (text: string) => void;
  note: (text: string) => void;
  finish(status: number): void;
  terminal?: boolean;
}

export const lines = (...texts: string[]): string => texts.map((text) => `${inert(text)}\n`).join('');

export function answer(context: Context, options: ServiceOptions, value: unknown, words: string[]): void {
  context.out(options.json ? `${inertJson(value)}\n` : lines(...words));
}

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

export async function ask(question: string, { note, stdin }: Context): Promise<string> {
  note(question);
  const reader = createInterface({ input: stdin });
  const { value } = (await reader[Symbol.asyncIterator]().next()) as { value?: string };
  reader.close();
  return value ?? '';
}

export function serviceCommand(name: string, description: string, examples: string[]): Command {
  return new Command(name)
    .description(description)
    .option('--profile <name>', 'the account to use (default: SVC_PROFILE, or the one in use)')
    .option('--base-url <url>', 'the service (default: SVC_BASE_URL, or the profile’s)', httpUrl)
    .option('--json', 'print the result as JSON', false)
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}\n`).join('')}`);
}
