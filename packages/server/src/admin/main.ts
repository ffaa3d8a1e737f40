import { CommanderError } from 'commander';
import { AnotherChain } from '../anchoring/index.ts';
import { ChainUnavailable, WrongSetting } from '../chain/port.ts';
import { DatabaseUnavailable } from '../db/db.ts';
import { DirectoryInUse } from '../db/directory-lock.ts';
import { WrongSecretKeys } from '../secrets/secret-keys.ts';
import type { Config } from '../settings/config.ts';
import { type Environment, readEnvironment } from '../settings/environment.ts';
import { ConfigError, readConfig } from '../settings/read-config.ts';
import { AdminError, EXIT } from './exit.ts';
import { makeProgram } from './program.ts';

/** Runs `svc-admin` with its arguments. @returns the exit status */
export async function run(args: readonly string[]): Promise<number> {
  let status: number = EXIT.fine;
  let config: Config | undefined;
  let read: Environment | undefined;
  const environment = (): Environment => (read ??= readEnvironment());
  const program = makeProgram({
    environment,
    config: () => (config ??= readConfig(environment())),
    path: process.env['PATH'] ?? '',
    out: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    finish: (code) => {
      status = code;
    },
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    const { text, code } = explain(error);
    process.stderr.write(`svc-admin: ${text}\n`);
    return code;
  }
}

function explain(error: unknown): { text: string; code: number } {
  if (error instanceof AdminError) return { text: error.message, code: error.status };
  if (error instanceof ConfigError)
    return { text: `setting: ${error.problems.join('\nsetting: ')}`, code: EXIT.config };
  if (error instanceof DirectoryInUse)
    return {
      text: 'the service is running on this DATA_DIR, and what is embedded has room for one process: stop it first',
      code: EXIT.unavailable,
    };
  if (error instanceof DatabaseUnavailable)
    return { text: 'the database cannot be reached: see DATABASE_URL', code: EXIT.unavailable };
  if (error instanceof WrongSecretKeys || error instanceof AnotherChain || error instanceof WrongSetting)
    return { text: error.message, code: EXIT.config };
  if (error instanceof ChainUnavailable)
    return { text: `the chain cannot be asked: ${error.message}`, code: EXIT.unknown };
  return { text: error instanceof Error ? error.message : 'failed', code: EXIT.defect };
}
