import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import type { ListedFile } from '@svc/protocol/conventions';
import { CommandError, EXIT } from '../exit.ts';
import { gitOutput, runGit } from './run-git.ts';

export interface HashedCommit {
  /** the object name that git gives the commit: 40 hex digits (SHA-1) or 64 (SHA-256) */
  name: string;
  /** SHA-256 of the commit object and of the list of its files */
  files: [commit: ListedFile, tree: ListedFile];
}

const commitFile = (name: string): string => `${name}.commit`;

/** Resolves a revision to the name of its commit. @throws {CommandError} */
export async function findCommit(repo: string, rev: string): Promise<string> {
  const found = await gitOutput(repo, ['rev-parse', '--verify', '--end-of-options', `${rev}^{commit}`]);
  return found.toString('utf8').trim();
}

/**
 * Hashes a commit by SHA-256, whatever hash the repository uses: the object as `git cat-file commit` prints it, and a list of all files with
 * the SHA-256 of each (docs/conventions.md#git-commits).
 * @throws {CommandError} on an object that the repository does not have
 */
export async function hashCommit(repo: string, name: string): Promise<HashedCommit> {
  const commit = createHash('sha256')
    .update(await gitOutput(repo, ['cat-file', 'commit', name]))
    .digest('hex');
  const tree = (await gitOutput(repo, ['rev-parse', '--verify', `${name}^{tree}`])).toString('utf8').trim();
  return {
    name,
    files: [
      { name: commitFile(name), sha256: commit },
      { name: `${tree}.tree`, sha256: await hashTree(repo, tree) },
    ],
  };
}

interface Entry {
  mode: string;
  /** a submodule is a commit of another repository */
  isBlob: boolean;
  object: string;
  /** of bytes, because a path need not be UTF-8 */
  path: Buffer;
}

async function hashTree(repo: string, tree: string): Promise<string> {
  const entries = parseEntries(await gitOutput(repo, ['ls-tree', '-r', '-z', '--full-tree', tree]));
  const blobs = [...new Set(entries.filter((entry) => entry.isBlob).map(({ object }) => object))];
  const reader = new BatchReader();
  if (blobs.length > 0)
    await runGit(repo, ['cat-file', '--batch'], (chunk) => reader.add(chunk), {
      input: `${blobs.join('\n')}\n`,
    });
  const list = createHash('sha256');
  for (const { mode, isBlob, object, path } of entries) {
    const hash = isBlob ? reader.hashes.get(object) : object;
    if (hash === undefined)
      throw new CommandError(
        EXIT.input,
        `the repository does not have object ${object} (${path.toString('utf8')}): fetch it first (a partial clone leaves objects out)`,
      );
    list.update(`${mode} ${hash} `).update(path).update('\0');
  }
  return list.digest('hex');
}

/** Entries of `git ls-tree -z`: `<mode> <type> <object>\t<path>\0`. */
function parseEntries(output: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let from = 0; from < output.length;) {
    const tab = output.indexOf('\t', from);
    const end = output.indexOf(0, tab);
    const [mode = '', type, object = ''] = output.toString('latin1', from, tab).split(' ');
    entries.push({ mode, isBlob: type === 'blob', object, path: output.subarray(tab + 1, end) });
    from = end + 1;
  }
  return entries;
}

/** Hashes the objects that `git cat-file --batch` prints: `<object> blob <size>\n<content>\n` for each. */
class BatchReader {
  readonly hashes = new Map<string, string>();
  #header = '';
  #object = '';
  #hash: Hash | null = null;
  /** bytes of the content that are still to come */
  #left = 0;
  /** the LF after the content */
  #skip = 0;

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#hash !== null) {
        const part = chunk.subarray(at, at + this.#left);
        this.#hash.update(part);
        this.#left -= part.length;
        at += part.length;
        this.#finish();
      } else if (this.#skip > 0) {
        this.#skip--;
        at++;
      } else {
        const end = chunk.indexOf('\n', at);
        this.#header += chunk.toString('latin1', at, end === -1 ? chunk.length : end);
        at = end === -1 ? chunk.length : end + 1;
        if (end !== -1) this.#begin();
      }
    }
  }

  #begin(): void {
    const [object = '', type, size] = this.#header.split(' ');
    this.#header = '';
    // For an object that the repository does not have, git prints `<object> missing`.
    if (type !== 'blob') return;
    this.#object = object;
    this.#left = Number(size);
    this.#hash = createHash('sha256');
    this.#finish();
  }

  #finish(): void {
    if (this.#hash === null || this.#left > 0) return;
    this.hashes.set(this.#object, this.#hash.digest('hex'));
    this.#hash = null;
    this.#skip = 1;
  }
}
