import { sha256 } from '@noble/hashes/sha2.js';
import {
  DISCLOSURE_FORMAT,
  fileListWords,
  fileRootWords,
  makeManifest,
  MANIFEST_FORMAT,
  MAX_FILES,
  parseDisclosure,
  parseManifest,
  readWords,
} from '@svc/protocol/conventions';
import { compareFiles, type HashedFile } from '../file-comparison.ts';
import { type Dropped, type NamedFile, namedFiles } from '../named-files.ts';

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** As streams; sends nothing. @throws {Error} with a message for the reader */
async function hashFiles(files: readonly NamedFile[], tell: (said: string) => void): Promise<HashedFile[]> {
  if (files.length > MAX_FILES) throw new Error(`At most ${MAX_FILES} files.`);
  const hashed: HashedFile[] = [];
  for (const { name, file } of files) {
    tell(`${hashed.length} of ${files.length} hashed`);
    const hash = sha256.create();
    const reader = file.stream().getReader();
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new Error(`${name} cannot be read, or changed while it was.`);
      });
      if (done) break;
      hash.update(value);
      size += value.length;
    }
    if (size !== file.size) throw new Error(`${name} changed while it was read.`);
    hashed.push({ name, sha256: hex(hash.digest()), size });
  }
  return hashed;
}

export type Tell = (said: string, save?: { name: string; text: string }) => void;

/** Above existing words. */
export async function commitTo(
  field: HTMLTextAreaElement,
  dropped: readonly Dropped[],
  { isShort, tell }: { isShort: boolean; tell: Tell },
): Promise<void> {
  const files = await namedFiles(dropped);
  const hashed = await hashFiles(files, tell);
  const before = readWords(field.value);
  const note = before.kind === 'files' ? before.note : field.value;
  const put = (words: string): void => {
    field.value = words;
    field.dispatchEvent(new Event('input'));
  };
  if (isShort) {
    put(fileListWords(hashed, note));
    return tell(`${files.length} in the list; whoever guesses at one can confirm it.`);
  }
  const manifest = makeManifest(
    hashed.map((file) => ({ ...file, salt: hex(crypto.getRandomValues(new Uint8Array(32))) })),
  );
  put(fileRootWords({ root: manifest.root, count: files.length }, note));
  tell(`${files.length} under the root. Save the manifest now: without it none can ever be shown.`, {
    name: `svc-files-${manifest.root}.json`,
    text: `${JSON.stringify(manifest, null, 1)}\n`,
  });
}

/** For each file; recognizes a manifest or disclosure. */
export async function compareWith(content: string, dropped: readonly Dropped[], tell: Tell): Promise<void> {
  const words = readWords(content);
  if (words.kind !== 'files') return;
  const files = await namedFiles(dropped);
  const read = await Promise.all(files.map(async (one) => ({ one, key: await keyIn(one.file) })));
  const others = read.filter(({ key }) => key === null).map(({ one }) => one);
  const key = read.find((one) => one.key !== null)?.key ?? null;
  const compared = compareFiles(words, await hashFiles(others, tell), key);
  tell(
    compared.map(({ name, isSame, said }) => `${isSame ? '✓' : '✗'} ${name}: ${said}`).join('\n') ||
      'Drop the files as well.',
  );
}

const MOST_KEY_BYTES = 8_000_000;

async function keyIn(file: File) {
  if (!file.name.endsWith('.json') || file.size > MOST_KEY_BYTES) return null;
  let value: { _format?: unknown };
  try {
    value = JSON.parse(await file.text()) as typeof value;
  } catch {
    return null;
  }
  if (value?._format === MANIFEST_FORMAT) return parseManifest(value);
  return value?._format === DISCLOSURE_FORMAT ? parseDisclosure(value) : null;
}
