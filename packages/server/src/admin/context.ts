import { escapeUnseen, escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';
import type { Config } from '../settings/config.ts';
import type { Environment } from '../settings/environment.ts';
import { AnotherChain } from '../anchoring/index.ts';
import { ChainUnavailable, WrongSetting } from '../chain/port.ts';
import { DatabaseUnavailable } from '../db/db.ts';
import { DirectoryInUse } from '../db/directory-lock.ts';
import { WrongSecretKeys } from '../platform/secrets/secret-keys.ts';
import { ConfigError } from '../settings/read-config.ts';

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

export const EXIT = {
  fine: 0,
  /** fault found, or request rejected */
  fault: 1,
  /** the chain did not answer, so the check is incomplete */
  unknown: 2,
  usage: 64,
  input: 66,
  unavailable: 69,
  defect: 70,
  config: 78,
} as const;

export class AdminError extends Error {
  override name = 'AdminError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Errors of a node, a database or a file become one line. */
export function explain(error: unknown): { text: string; code: number } {
  const own = ownWords(error);
  if (own !== undefined) return { ...own, text: escapeUnseen(own.text) };
  if (error instanceof ChainUnavailable)
    return {
      text: `the chain (CHAIN_RPC_URL) does not answer: ${escapeUnseenInLine(error.message)}`,
      code: EXIT.unknown,
    };
  return { text: error instanceof Error ? escapeUnseenInLine(error.message) : 'failed', code: EXIT.defect };
}

function ownWords(error: unknown): { text: string; code: number } | undefined {
  if (error instanceof AdminError) return { text: error.message, code: error.status };
  if (error instanceof ConfigError)
    return { text: `setting: ${error.problems.join('\nsetting: ')}`, code: EXIT.config };
  if (error instanceof DirectoryInUse)
    return {
      text: 'the service runs on this DATA_DIR, and only one process can use its embedded parts: stop the service first',
      code: EXIT.unavailable,
    };
  if (error instanceof DatabaseUnavailable)
    return {
      text: escapeUnseenInLine(error.reason ?? `DATABASE_URL: ${error.message}`),
      code: error.permanent ? EXIT.config : EXIT.unavailable,
    };
  if (error instanceof WrongSecretKeys || error instanceof AnotherChain || error instanceof WrongSetting)
    return { text: error.message, code: EXIT.config };
  return undefined;
}
