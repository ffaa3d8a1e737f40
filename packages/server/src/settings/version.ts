import { createRequire } from 'node:module';
import { newestSchema } from '../db/migrate.ts';

const require = createRequire(import.meta.url);

export const VERSION = (require('#package') as { version: string }).version;

/** Two builds of one version differ in commit and schema. */
export interface Build {
  version: string;
  /** git's hash, with `-dirty` when a tracked file had changed; null when the build did not know it */
  commit: string | null;
  /** the newest migration in this build */
  schema: number;
}

export const BUILD: Build = { version: VERSION, commit: readCommit(), schema: newestSchema() };

/** scripts/bundle-server.mjs writes the file; it is missing when the sources run without a build. */
function readCommit(): string | null {
  try {
    return (require('#build') as { commit: string | null }).commit;
  } catch {
    return null;
  }
}
