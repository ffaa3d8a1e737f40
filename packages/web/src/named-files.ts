import { MAX_FILES } from '@svc/protocol/conventions';

/** What was chosen or dropped: a file, or what may be a folder. Asked for at once: afterwards the browser knows it no more. */
export interface Dropped {
  entry: FileSystemEntry | null;
  file: File | null;
}

/** A file, and the name it goes by: its own, or its path in the folder that was chosen. */
export interface NamedFile {
  name: string;
  file: File;
}

/** All files, folders walked. A folder's own name is no part of its files' names, as `svc` has it too. @throws {Error} in words for the reader */
export async function namedFiles(dropped: readonly Dropped[]): Promise<NamedFile[]> {
  const named: NamedFile[] = [];
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory) await walk(entry as FileSystemDirectoryEntry, '', named);
    else if (file !== null) named.push({ name: inFolder(file.webkitRelativePath) || file.name, file });
  }
  return named;
}

const inFolder = (path: string): string => path.split('/').slice(1).join('/');

async function walk(folder: FileSystemDirectoryEntry, path: string, named: NamedFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // A hundred at most come at once, and none behind the last.
    const entries = await asked<FileSystemEntry[]>(folder, (done, failed) =>
      reader.readEntries(done, failed),
    );
    if (entries.length === 0) return;
    for (const entry of entries) {
      const name = `${path}${entry.name}`;
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, `${name}/`, named);
      else
        named.push({
          name,
          file: await asked<File>(entry, (done, failed) => (entry as FileSystemFileEntry).file(done, failed)),
        });
      if (named.length > MAX_FILES) throw new Error(`At most ${MAX_FILES} files.`);
    }
  }
}

function asked<Answer>(
  { name }: FileSystemEntry,
  ask: (done: (answer: Answer) => void, failed: () => void) => void,
): Promise<Answer> {
  return new Promise((done, failed) => ask(done, () => failed(new Error(`${name} cannot be read.`))));
}
