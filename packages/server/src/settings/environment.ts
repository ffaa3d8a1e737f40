import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { READ, type Settings } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The real environment takes precedence over `.env`. */
export function readEnvironment(directory = process.cwd()): Environment {
  const file = join(directory, '.env');
  const before = { ...process.env };
  if (existsSync(file)) process.loadEnvFile(file);
  return { ...process.env, ...before };
}

export function readSettings(environment: Environment, problems: string[]): Settings {
  const settings: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(READ)) {
    let text = environment[name] || undefined;
    const file = setting.secret && (environment[`${name}_FILE`] || undefined);
    if (text !== undefined && file) {
      problems.push(`${name} and ${name}_FILE are both set: keep one of them`);
      continue;
    }
    try {
      if (file) text = readSecretFile(name, file);
      text ??= setting.default;
      settings[name] = text === undefined ? undefined : setting.read(text.trim());
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  return settings as Settings;
}

function readSecretFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(
      `cannot be read from the file that ${name}_FILE names (${(error as NodeJS.ErrnoException).code})`,
      { cause: error },
    );
  }
}
