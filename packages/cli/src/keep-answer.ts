import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { MisfitError } from '@svc/sdk';
import { configFolder, writePrivate } from './config-folder.ts';

/**
 * Evidence against the service or a proxy, with each wrong field.
 * @returns null when it cannot be written
 */
export function keepAnswer(
  { operation, misfits, answer }: MisfitError,
  env: NodeJS.ProcessEnv,
): string | null {
  const text = `${JSON.stringify({ operation, misfits, answer }, null, 2)}\n`;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const path = join(configFolder(env), 'answers', `${operation}-${name}.json`);
  try {
    writePrivate(path, text);
    return path;
  } catch {
    return null;
  }
}
