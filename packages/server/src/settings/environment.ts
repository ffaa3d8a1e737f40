import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Setting } from './values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The real environment takes precedence over `.env`. */
export function readEnvironment(directory = process.cwd()): Environment {
  const file = join(directory, '.env');
  const before = { ...process.env };
  if (existsSync(file)) process.loadEnvFile(file);
  return { ...process.env, ...before };
}

export type ValuesOf<Table> = {
  [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never;
};

export function readSettings<Table extends Readonly<Record<string, Setting<unknown>>>>(
  table: Table,
  environment: Environment,
  problems: string[],
): ValuesOf<Table> {
  const settings: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(table)) {
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
  return settings as ValuesOf<Table>;
}

export interface OperatorFiles {
  notice: string | undefined;
  webhooksOff: boolean;
}

/** The operator puts these files into DATA_DIR; none has to exist. */
export function readOperatorFiles(dataDir: string, problems: string[]): OperatorFiles {
  const read = (name: string): string | undefined => {
    try {
      return readFileSync(join(dataDir, name), 'utf8').trim();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      if (!['ENOENT', 'ENOTDIR'].includes(code)) problems.push(`DATA_DIR/${name} cannot be read (${code})`);
      return undefined;
    }
  };
  return { notice: read('notice.txt') || undefined, webhooksOff: read('webhooks-off') !== undefined };
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

/** The limit of open files of this process. Node.js raised the limit to the hard one when it started. */
export function openFilesLimit(): number | undefined {
  // Otherwise the report looks up the names of all peers.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}
