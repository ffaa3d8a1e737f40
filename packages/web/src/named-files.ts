import { MAX_FILES } from '@svc/protocol/conventions';

/** Read at once, because the browser forgets it later. */
export interface Dropped {
  entry: FileSystemEntry | null;
  file: File | null;
}

export interface NamedFile {
  name: string;
  file: File;
}

/** Walks folders. Leaves out the folder's own name, as `svc` does. @throws {Error} with a message for the reader */
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
    // At most a hundred entries arrive at once, and none after the last.
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
