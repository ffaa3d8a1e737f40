import { escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';
import type { Config } from '../settings/config.ts';
import type { Environment } from '../settings/environment.ts';

/** What a command has of the world. */
export interface AdminContext {
  /** The settings, read at the first call. @throws ConfigError */
  config(): Config;
  /** what the settings are read from */
  environment(): Environment;
  /** directories to look for programs in, as `PATH` lists them */
  path: string;
  out(text: string): void;
  /** progress and remarks, apart from the result */
  note(text: string): void;
  finish(status: number): void;
}

/** Prints a result: as JSON when asked for, else in words, each text of them a line. */
export function print(context: AdminContext, json: boolean, result: object, words: readonly string[]): void {
  context.out(
    json
      ? `${showUnseenInJson(JSON.stringify(result, null, 2))}\n`
      : words.map((line) => `${escapeUnseenInLine(line)}\n`).join(''),
  );
}
