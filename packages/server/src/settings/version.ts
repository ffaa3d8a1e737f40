import { createRequire } from 'node:module';
import { newestSchema } from '../db/migrate.ts';

const require = createRequire(import.meta.url);

export const VERSION = (require('#package') as { version: string }).version;

/** Two builds of a version may differ. */
export interface Build {
  version: string;
  /** with `-dirty` if a tracked file had changed; null when unknown */
  commit: string | null;
  /** newest migration */
  schema: number;
}

export const BUILD: Build = { version: VERSION, commit: readCommit(), schema: newestSchema() };

/** Written by scripts/bundle-server.mjs; missing without a build. */
function readCommit(): string | null {
  try {
    return (require('#build') as { commit: string | null }).commit;
  } catch {
    return null;
  }
}
