import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SetupError } from './prerequisites/run.mjs';

export const CHANGELOG = join(ROOT, 'CHANGELOG.md');
export const UNRELEASED = '## Unreleased\n';

/**
 * The section of a version, or of what is not released.
 * @returns its text without the heading
 * @throws SetupError if there is none, or an empty one
 */
export function changesOf(version, text = readFileSync(CHANGELOG, 'utf8')) {
  const sections = text.split(/^(?=## )/m);
  const found = sections.find((section) => section.slice(3).startsWith(version));
  const changes = found?.slice(found.indexOf('\n')).trim();
  if (!changes) throw new SetupError(`CHANGELOG.md: no section "## ${version}" with changes`);
  return `${changes}\n`;
}
