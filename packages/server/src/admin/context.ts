import { showUnseen, showUnseenInJson } from '@svc/protocol';
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

/** Prints a result: as JSON when asked for, else in words. */
export function print(context: AdminContext, json: boolean, result: object, words: readonly string[]): void {
  context.out(
    json
      ? `${showUnseenInJson(JSON.stringify(result, null, 2))}\n`
      : words.map((line) => `${inert(line)}\n`).join(''),
  );
}

/** Names are others' words: no line of theirs may look like one of ours, or move the cursor. */
function inert(text: string): string {
  return showUnseen(text, () => '\ufffd').replace(/[\t\n]/g, '\ufffd');
}
