import { createRequire } from 'node:module';
import { newestSchema } from '../db/migrate.ts';

const require = createRequire(import.meta.url);

export const VERSION = (require('#package') as { version: string }).version;

export interface Build {
  version: string;
  /** `-dirty` follows if a tracked file had changed */
  commit: string | null;
  schema: number;
}

export const BUILD: Build = { version: VERSION, commit: readCommit(), schema: newestSchema() };

export const isDirty = (commit: string): boolean => commit.endsWith('-dirty');

/** scripts/bundle-server.mjs writes the file; it is missing without a build. */
function readCommit(): string | null {
  try {
    return (require('#build') as { commit: string | null }).commit;
  } catch {
    return null;
  }
}
