// Writes files that survive a power cut.
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Atomic, even in a power cut. @param aside a file of this writer alone */
export async function writeDurably(
  path: string,
  data: string | Uint8Array,
  aside = `${path}.new`,
): Promise<void> {
  const file = await open(aside, 'w', 0o600);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, path);
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } catch (error) {
    // Not every file system can sync a directory.
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code!)) throw error;
  } finally {
    await directory.close();
  }
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
