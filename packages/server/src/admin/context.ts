import { escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';
import type { Config } from '../settings/config.ts';
import type { Environment } from '../settings/environment.ts';

/** What a command uses from outside the program. */
export interface AdminContext {
  /** Reads the settings at the first call. @throws ConfigError */
  config(): Config;
  /** the source of the settings */
  environment(): Environment;
  /** directories to search for programs, in the form of `PATH` */
  path: string;
  out(text: string): void;
  /** prints progress and remarks, apart from the result */
  note(text: string): void;
  finish(status: number): void;
}

/** Prints a result: as JSON with `--json`, else as text, one line for each string. */
export function print(context: AdminContext, json: boolean, result: object, words: readonly string[]): void {
  context.out(
    json
      ? `${showUnseenInJson(JSON.stringify(result, null, 2))}\n`
      : words.map((line) => `${escapeUnseenInLine(line)}\n`).join(''),
  );
}
