import { escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';
import type { Config } from '../settings/config.ts';
import type { Environment } from '../settings/environment.ts';

export interface AdminContext {
  config(): Config;
  environment(): Environment;
  path: string;
  out(text: string): void;
  note(text: string): void;
  finish(status: number): void;
}

export function print(context: AdminContext, json: boolean, result: object, words: readonly string[]): void {
  context.out(
    json
      ? `${showUnseenInJson(JSON.stringify(result, null, 2))}\n`
      : words.map((line) => `${escapeUnseenInLine(line)}\n`).join(''),
  );
}
