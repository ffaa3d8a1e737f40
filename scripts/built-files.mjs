import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Atomically, because another process may read the file. An unchanged file keeps its time. */
export async function put(path, contents) {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(Buffer.from(contents))) return;
  const aside = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(aside, contents);
  await rename(aside, path);
}

/** Writes the files in their order, and removes all others. */
export async function putAll(folder, files) {
  for (const [name, contents] of files) await put(join(folder, name), contents);
  const names = files.map(([name]) => name);
  for (const name of await readdir(folder))
    if (!names.includes(name)) await rm(join(folder, name), { force: true });
}

/** Imports esbuild. An installation without development dependencies uses the existing build. */
export async function esbuildOr(existing) {
  try {
    return await import('esbuild');
  } catch (error) {
    if (existsSync(existing)) process.exit(0);
    throw error;
  }
}

/** Options of esbuild for programs of Node.js. */
export const FOR_NODE = {
  bundle: true,
  splitting: true,
  write: false,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  logLevel: 'warning',
  // CommonJS packages need this.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
};
