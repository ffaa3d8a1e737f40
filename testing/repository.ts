import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Works in a different user's clone too. */
export function trackedFiles(): string[] {
  const git = ['-c', 'safe.directory=*', 'ls-files', '-z'];
  return execFileSync('git', git, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
}

export function anchorsOf(page: string): string[] {
  const seen = new Map<string, number>();
  return [...page.replaceAll(/^( *)```[^]*?^\1```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const name = heading!
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
}

/** Includes blocks in lists. */
export function shellBlocks(document: string): { pasted: boolean; text: string }[] {
  return [...read(document).matchAll(/^( *)```(?:sh|bash|console)( session)?\n([^]*?)^ *```$/gm)].map(
    ([, indent, mark, block]) => ({
      pasted: mark !== undefined,
      text: block!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}
