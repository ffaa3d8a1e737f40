import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { codePointLength } from '@svc/protocol';
import { comparedName, fileListWords, fileRootWords, makeManifest } from '@svc/protocol/conventions';
import type { FileManifest } from '@svc/protocol/conventions';
import { makeProgress } from '../audit/progress.ts';
import { lines } from '../context.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit.ts';
import { collect } from '../options.ts';
import { asRefusal, findFiles } from './find-files.ts';
import { hashFiles } from './hash-files.ts';
import type { HashedFile } from './hash-files.ts';
import { readManifest, sha256, writeNew } from './manifest-file.ts';

/** Characters of a text, at most (docs/specification.md#limits). */
const MOST = 2000;

export interface FilesOptions {
  files: string[];
  short: boolean;
  manifest?: string;
  idempotencyKey?: string;
}

/** What a command takes that commits to files. */
export const withFiles = (command: Command): Command =>
  command
    .option(
      '--files <path>',
      'commit to a file, or to all in a folder, by hashes made here: nothing of them is sent; may be repeated',
      collect((path: string) => path),
      [],
    )
    .option(
      '--manifest <file>',
      'where to keep what shows these files later (a new file; default: svc-files-<root>.json)',
    )
    .option(
      '--short',
      'list names and hashes in the text, for sha256sum -c: whoever guesses a file can then confirm it',
      false,
    );

/** Words that commit to files, and what was kept of them. */
export interface Committed {
  words: string;
  told: { form: 'list' | 'root'; files: number; bytes: number; root: string | null; manifest: string | null };
}

/**
 * Reads files and makes the words that commit to them. Nothing of a file but its hash is in the short form, and nothing at all in
 * the salted one, whose manifest is written before anything is etched: without it nothing could ever be shown.
 * @param note free text below
 * @throws {CommandError}
 */
export async function commitFiles(options: FilesOptions, note: string, context: Context): Promise<Committed> {
  if (options.short && options.manifest !== undefined)
    throw new CommandError(
      EXIT.usage,
      'the short form needs no --manifest: its words hold every name and hash',
    );
  const hashed = await readFiles(options, context);
  const bytes = hashed.reduce((sum, { size }) => sum + size, 0);
  if (options.short) {
    const words = asRefusal(() => fileListWords(hashed, note));
    const length = codePointLength(words);
    if (length > MOST)
      throw new CommandError(
        EXIT.usage,
        `the list has ${length} characters, an etch at most ${MOST}: leave --short out, and a manifest holds it; nothing was etched`,
      );
    context.note(
      lines(
        'Careful: names and hashes are in the text. Whoever has a guess at one of these files can confirm it.',
      ),
    );
    return { words, told: { form: 'list', files: hashed.length, bytes, root: null, manifest: null } };
  }
  const kept = await manifestOfBefore(options, hashed);
  const salted = hashed.map((file) => ({ ...file, salt: randomBytes(32).toString('hex') }));
  const manifest = kept ?? asRefusal(() => makeManifest(salted, sha256));
  const { root } = manifest;
  const words = asRefusal(() => fileRootWords({ root, count: hashed.length }, note));
  const path = options.manifest ?? `svc-files-${root.slice(0, 12)}.json`;
  if (kept === null) await writeNew(path, manifest);
  context.note(
    lines(
      `Wrote ${path}, which alone can show these files: keep it as you keep them, and give it to nobody. To repeat this request under its --idempotency-key, name it with --manifest.`,
    ),
  );
  return { words, told: { form: 'root', files: hashed.length, bytes, root, manifest: path } };
}

/** @throws {CommandError} */
async function readFiles({ files, manifest }: FilesOptions, context: Context): Promise<HashedFile[]> {
  try {
    const found = (await findFiles(files, manifest)).flatMap((one) => one.files);
    return await hashFiles(found, makeProgress(context.note, context.terminal ?? false));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(error.status, `${error.message}; nothing was etched`);
  }
}

/**
 * A request is repeated under its key with the same words, and so with the same salts: those of the manifest that it wrote.
 * @throws {CommandError} when that is of other files
 */
async function manifestOfBefore(
  { manifest: path, idempotencyKey }: FilesOptions,
  hashed: readonly HashedFile[],
): Promise<FileManifest | null> {
  if (path === undefined || idempotencyKey === undefined || !existsSync(path)) return null;
  const kept = await readManifest(path);
  const told = (files: readonly HashedFile[]) =>
    files
      .map(({ name, size, sha256: hash }) => `${hash} ${size} ${comparedName(name)}`)
      .sort()
      .join('\n');
  if (told(kept.files) !== told(hashed))
    throw new CommandError(
      EXIT.usage,
      `${path} exists and is of other files; it was not touched, and nothing was etched`,
    );
  return kept;
}
