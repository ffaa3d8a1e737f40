import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../../../..');

export function sourceFiles(folder: string, named = /\.tsx?$/): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && named.test(entry.name))
    .map((entry) => relative(join(ROOT, folder), join(entry.parentPath, entry.name)))
    .sort();
}

export interface Imports {
  /** imported files of the same folder by importing file, type imports included */
  files: Map<string, string[]>;
  packages: Map<string, string[]>;
}

/** Paths start at the repository's root. */
export function importsAmong(folders: readonly string[]): Map<string, string[]> {
  const files = folders.flatMap((folder) =>
    sourceFiles(folder, /\.(tsx?|mjs|mts)$/).map((file) => join(folder, file)),
  );
  return new Map(
    files.map((file) => [
      file,
      ts
        .preProcessFile(readFileSync(join(ROOT, file), 'utf8'), true, true)
        .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => join(dirname(file), fileName)),
    ]),
  );
}

export function importsOf(folder: string): Imports {
  const files = new Map<string, string[]>();
  const packages = new Map<string, string[]>();
  for (const file of sourceFiles(folder)) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, folder, file), 'utf8'), true, true);
    const names = importedFiles.map(({ fileName }) => fileName);
    files.set(
      file,
      names
        .filter((name) => name.startsWith('.'))
        .map((name) => join(dirname(file), name))
        .filter((name) => existsSync(join(ROOT, folder, name))),
    );
    packages.set(
      file,
      names.flatMap((name) => /^@svc\/([a-z]+)/.exec(name)?.[1] ?? []),
    );
  }
  return { files, packages };
}

/** Sets of files that reach each other, each sorted. */
export function cycles(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = new Map<string, Set<string>>();
  for (const start of arrows.keys()) {
    const seen = new Set<string>();
    const next = [...(arrows.get(start) ?? [])];
    for (let node = next.pop(); node !== undefined; node = next.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      next.push(...(arrows.get(node) ?? []));
    }
    reach.set(start, seen);
  }
  const found = new Map<string, string[]>();
  for (const [node, reached] of reach) {
    if (!reached.has(node)) continue;
    const cycle = [...reached].filter((other) => reach.get(other)?.has(node)).sort();
    found.set(cycle.join(' '), cycle);
  }
  return [...found.values()];
}

export function moduleOf(file: string): string {
  return file.split('/')[0]!;
}
