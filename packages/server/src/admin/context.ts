import { escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';
import type { Config } from '../settings/config.ts';
import type { Environment } from '../settings/environment.ts';

export interface AdminContext {
  /** Reads the settings once. @throws ConfigError */
  config(): Config;
  environment(): Environment;
  /** like `PATH` */
  path: string;
  out(text: string): void;
  /** progress and remarks */
  note(text: string): void;
  finish(status: number): void;
}

/** As JSON, or one line for each string. */
export function print(context: AdminContext, json: boolean, result: object, words: readonly string[]): void {
  context.out(
    json
      ? `${showUnseenInJson(JSON.stringify(result, null, 2))}\n`
      : words.map((line) => `${escapeUnseenInLine(line)}\n`).join(''),
  );
}
