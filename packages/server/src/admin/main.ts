import { escapeUnseen } from '@svc/protocol';
import { CommanderError } from 'commander';
import type { Config } from '../settings/config.ts';
import { type Environment, readEnvironment } from '../settings/environment.ts';
import { readConfig } from '../settings/read-config.ts';
import { EXIT } from './exit.ts';
import { explain } from './explain.ts';
import { makeProgram } from './program.ts';

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
    note: (text) => void process.stderr.write(escapeUnseen(text)),
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
