import { type Config, toConfig } from './config.ts';
import { type Environment, readOperatorFiles, readSettings } from './environment.ts';
import { replacedSettings } from './removed.ts';
import { ALL_SETTINGS } from './settings.ts';
import { refuseTestSettings, checkCombinations } from './combinations.ts';

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
  const settings = readSettings(ALL_SETTINGS, environment, problems);
  const files = readOperatorFiles(settings.DATA_DIR, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  checkCombinations(settings, problems);
  refuseTestSettings(environment, settings, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return freeze(toConfig(settings, environment, files));
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (inner !== null && typeof inner === 'object' && !Buffer.isBuffer(inner)) freeze(inner as object);
  }
  return Object.freeze(value);
}
