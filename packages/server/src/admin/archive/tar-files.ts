// Writes and reads tar files entry by entry. An archive appears complete or not at all.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';
import { AdminError, inputError } from '../context.ts';

export interface TarWriter {
  add: (name: string, data: string) => Promise<void>;
  /** the file must not change during the write */
  addFile: (name: string, path: string) => Promise<void>;
  addFolder: (name: string) => Promise<void>;
}

/** The file appears complete or not at all. */
export async function writeTar(file: string, work: (tar: TarWriter) => Promise<void>): Promise<void> {
  const aside = `${file}.part`;
  // The old file may be a link, or readable by others.
  await rm(aside, { force: true });
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(aside, { mode: 0o600, flags: 'wx' }));
  written.catch(() => undefined);
  const mtime = new Date();
  const entry = (header: Partial<Header> & Pick<Header, 'name'>, data?: string): Promise<void> =>
    new Promise((resolve, reject) => {
      written.catch(reject);
      tar.entry({ mtime, ...header }, data ?? '', (error) => (error ? reject(error) : resolve()));
    });
  const writer: TarWriter = {
    add: (name, data) => entry({ name, mode: 0o600 }, data),
    addFolder: (name) => entry({ name: `${name}/`, type: 'directory', mode: 0o700 }),
    async addFile(name, path) {
      const { size } = await stat(path);
      if (size === 0) return entry({ name, mode: 0o600 });
      await new Promise<void>((resolve, reject) => {
        written.catch(reject);
        const sink = tar.entry({ name, size, mode: 0o600, mtime }, (error) =>
          error ? reject(error) : resolve(),
        );
        createReadStream(path, { end: size - 1 })
          .on('error', reject)
          .pipe(sink);
      });
    },
  };
  try {
    await work(writer);
    tar.finalize();
    await written;
    const handle = await open(aside, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, file);
  } catch (error) {
    tar.destroy();
    await written.catch(() => undefined);
    await rm(aside, { force: true });
    throw error;
  }
}

function openTar(file: string) {
  const entries = extract();
  const read = pipeline(createReadStream(file), createGunzip(), entries);
  read.catch(() => undefined);
  return { entries, read };
}

/** @throws AdminError on a name that leads outside */
export async function unpackTar(file: string, folder: string): Promise<void> {
  const { entries, read } = openTar(file);
  for await (const entry of entries) {
    const path = resolve(folder, entry.header.name);
    if (!path.startsWith(`${resolve(folder)}${sep}`))
      throw inputError(`${file} is no backup: a name in it leads out of its folder`);
    if (entry.header.type === 'directory') {
      await mkdir(path, { recursive: true, mode: 0o700 });
      entry.resume();
    } else {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(entry, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    }
  }
  await read;
}

/** Bytes. A tree of ten thousand leaves fits. */
const MOST = 64 * 1024 * 1024;

export async function* readTar(
  file: string,
  wants: (name: string) => boolean,
): AsyncGenerator<{ name: string; text: string }> {
  const { entries, read } = openTar(file);
  try {
    for await (const entry of entries) {
      const { name, size = 0, type } = entry.header;
      if (type !== 'file' || !wants(name)) {
        entry.resume();
        continue;
      }
      if (size > MOST) throw inputError(`${name} in ${file} is too large`);
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      yield { name, text: Buffer.concat(chunks).toString('utf8') };
    }
    await read;
  } catch (error) {
    if (error instanceof AdminError) throw error;
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') throw inputError(`there is no file ${file}`);
    if (typeof code === 'string' && /^(Z_|ERR_STREAM_PREMATURE)/.test(code))
      throw inputError(`${file} is damaged or not complete`);
    throw error;
  } finally {
    entries.destroy();
  }
}
