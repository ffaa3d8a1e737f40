import { cannotRead, decode } from '../input-file.ts';
import { asRefusal, inputError } from '../exit.ts';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { checkDifferentNames, checkFileName, MAX_FILES } from '@svc/protocol/conventions';

export interface FoundFile {
  name: string;
  path: string;
  size: number;
}

interface NamedPath {
  isFolder: boolean;
  files: FoundFile[];
}

export async function findFiles(paths: readonly string[], except?: string): Promise<NamedPath[]> {
  const passedOver = except === undefined ? undefined : await realpath(except).catch(() => undefined);
  const found: NamedPath[] = [];
  for (const path of paths) {
    const top = await look(path, () => realpath(path));
    const facts = await look(path, () => stat(top));
    if (facts.isFile()) found.push({ isFolder: false, files: [named(basename(path), top, facts.size)] });
    else if (!facts.isDirectory()) throw refused(path, 'is neither a file nor a folder');
    else found.push({ isFolder: true, files: await filesIn(top, passedOver) });
  }
  const files = found.flatMap((one) => one.files);
  if (files.length === 0) throw refused(paths.join(', '), 'contains no file');
  asRefusal(() => checkDifferentNames(files.map(({ name }) => name)));
  return found;
}

async function filesIn(top: string, passedOver: string | undefined): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  for await (const file of walk(top, top, '', passedOver)) {
    files.push(file);
    if (files.length > MAX_FILES)
      throw refused(
        top,
        `holds more than ${MAX_FILES.toLocaleString('en-US')} files, the limit for an etch; commit to parts of it in several etches`,
      );
  }
  return files;
}

async function* walk(
  top: string,
  folder: string,
  prefix: string,
  passedOver: string | undefined,
): AsyncGenerator<FoundFile, void> {
  for (const entry of await look(folder, () => readdir(folder, { encoding: 'buffer' }))) {
    const name = decode(entry, `${folder} contains a file whose name is not UTF-8; rename that file`);
    const path = join(folder, name);
    if (path === passedOver) continue;
    const facts = await look(path, () => lstat(path));
    if (facts.isSymbolicLink()) yield await linked(top, path, prefix + name);
    else if (facts.isDirectory()) yield* walk(top, path, `${prefix}${name}/`, passedOver);
    else if (facts.isFile()) yield named(prefix + name, path, facts.size);
    else throw refused(path, 'is neither a file nor a folder');
  }
}

/** Keeps the link's name; rejects a link out of the folder. */
async function linked(top: string, path: string, name: string): Promise<FoundFile> {
  const target = await look(path, () => realpath(path));
  if (!target.startsWith(top.endsWith(sep) ? top : top + sep))
    throw refused(path, `is a link out of the folder, to ${target}`);
  const facts = await look(target, () => stat(target));
  if (!facts.isFile()) throw refused(path, 'is a link to a folder; replace it by the folder, or remove it');
  return named(name, target, facts.size);
}

function named(name: string, path: string, size: number): FoundFile {
  asRefusal(() => checkFileName(name));
  return { name, path, size };
}

async function look<Value>(path: string, how: () => Promise<Value>): Promise<Value> {
  try {
    return await how();
  } catch (error) {
    throw cannotRead(path, error);
  }
}

const refused = (path: string, why: string) => inputError(`${path} ${why}`);
