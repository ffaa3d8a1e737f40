import { type Config, toConfig } from './config.ts';
import { type Environment, readOperatorFiles, readSettings } from './environment.ts';
import { replacedSettings } from './removed.ts';
import { READ } from './settings.ts';
import { checkHooks, checkTogether } from './together.ts';

/** The messages contain no values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export function readConfig(environment: Environment): Config {
  const problems = replacedSettings(environment);
  const settings = readSettings(READ, environment, problems);
  const files = readOperatorFiles(settings.DATA_DIR, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  checkTogether(settings, problems);
  checkHooks(environment, settings, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return freeze(toConfig(settings, environment, files));
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (inner !== null && typeof inner === 'object' && !Buffer.isBuffer(inner)) freeze(inner as object);
  }
  return Object.freeze(value);
}
