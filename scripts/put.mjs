import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Atomically, because another process may read the file. An unchanged file keeps its time. */
export async function put(path, contents) {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(Buffer.from(contents))) return;
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}`);
  await writeFile(aside, contents);
  await rename(aside, path);
}

export async function removeOthers(folder, names) {
  for (const name of await readdir(folder))
    if (!names.includes(name)) await rm(join(folder, name), { force: true });
}
