import { flag, type InputOf, many } from '../command.ts';
import { type Context, makeProgress, say } from '../context.ts';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { codePointLength } from '@svc/protocol';
import { comparedName, fileListWords, fileRootWords, makeManifest } from '@svc/protocol/conventions';
import type { FileManifest } from '@svc/protocol/conventions';
import { asRefusal, beforeEtch, usageError } from '../exit.ts';
import { findFiles } from './find-files.ts';
import { type HashedFile, hashFiles, readSums } from './hash-files.ts';
import { readManifest, sha256, writeNew } from './manifest-file.ts';

/** docs/specification.md#limits */
const MOST = 2000;

export const FILES = {
  '--files <path>': many(
    'commit to a file, or to all files in a folder, by hashes made on this machine; the files are not sent; may be repeated',
  ),
  '--sums <file>':
    'commit to the files that this list of sha256sum names, in its folder, if they have these hashes',
  '--manifest <file>':
    'the new file for the manifest, which proves the files later (default: svc-files-<root>.json)',
  '--short': flag(
    'list names and hashes in the text, for sha256sum -c; anyone can then confirm a guess of a file',
  ),
};
type FilesOptions = InputOf<typeof FILES> & { idempotencyKey?: string };

export const hasFiles = ({ files, sums }: FilesOptions): boolean => files.length > 0 || sums !== undefined;

interface Committed {
  words: string;
  summary: {
    form: 'list' | 'root';
    files: number;
    bytes: number;
    root: string | null;
    manifest: string | null;
  };
}

/**
 * The short form lists names and hashes. The salted form's manifest is written before the etch, because without it
 * no file could be proven.
 */
export async function commitFiles(options: FilesOptions, note: string, context: Context): Promise<Committed> {
  if (options.short && options.manifest !== undefined)
    throw usageError('--short writes no manifest, because its text has every name and hash: omit --manifest');
  const hashed = await readFiles(options, context);
  const bytes = hashed.reduce((sum, { size }) => sum + size, 0);
  if (options.short) {
    const words = asRefusal(() => fileListWords(hashed, note));
    const length = codePointLength(words);
    if (length > MOST)
      throw usageError(
        `the list has ${length} characters, and an etch at most ${MOST}; nothing was etched. Omit --short to use a manifest`,
      );
    say(
      context,
      'Careful: names and hashes are in the text. Anyone who guesses the content of a file can confirm it.',
    );
    return { words, summary: { form: 'list', files: hashed.length, bytes, root: null, manifest: null } };
  }
  const kept = await manifestOfRetry(options, hashed);
  const salted = hashed.map((file) => ({ ...file, salt: randomBytes(32).toString('hex') }));
  const manifest = kept ?? asRefusal(() => makeManifest(salted, sha256));
  const { root } = manifest;
  const words = asRefusal(() => fileRootWords({ root, count: hashed.length }, note));
  const path = options.manifest ?? `svc-files-${root.slice(0, 12)}.json`;
  if (kept === null) await writeNew(path, manifest);
  say(
    context,
    `Wrote ${path}. Only this manifest can prove these files: store it with them, and keep it secret. To retry this request under its --idempotency-key, name it with --manifest.`,
  );
  return { words, summary: { form: 'root', files: hashed.length, bytes, root, manifest: path } };
}

const readFiles = ({ files, sums, manifest }: FilesOptions, context: Context): Promise<HashedFile[]> =>
  beforeEtch(async () => {
    const progress = makeProgress(context);
    if (sums !== undefined) return readSums(sums, progress);
    const found = (await findFiles(files, manifest)).flatMap((one) => one.files);
    return hashFiles(found, progress);
  });

/** A retry needs the salts of the first run. */
async function manifestOfRetry(
  { manifest: path, idempotencyKey }: FilesOptions,
  hashed: readonly HashedFile[],
): Promise<FileManifest | null> {
  if (path === undefined || idempotencyKey === undefined || !existsSync(path)) return null;
  const kept = await readManifest(path);
  const listed = (files: readonly HashedFile[]) =>
    files
      .map(({ name, size, sha256: hash }) => `${hash} ${size} ${comparedName(name)}`)
      .sort()
      .join('\n');
  if (listed(kept.files) !== listed(hashed))
    throw usageError(
      `${path} exists and lists other files; it was not changed, and nothing was etched. Name a different --manifest`,
    );
  return kept;
}
