import { createHash, type Hash } from 'node:crypto';
import type { ListedFile } from '@svc/protocol/conventions';
import { inputError } from '../exit.ts';
import { gitOutput, type Repo, runGit } from './run-git.ts';

export interface HashedCommit {
  name: string;
  /** SHA-256 of the commit object and of its file list */
  files: [commit: ListedFile, tree: ListedFile];
}

const commitFile = (name: string): string => `${name}.commit`;

export async function findCommit(repo: Repo, rev: string): Promise<string> {
  const found = await gitOutput(repo, ['rev-parse', '--verify', '--end-of-options', `${rev}^{commit}`]);
  return found.toString('utf8').trim();
}

/**
 * Uses SHA-256, also in a SHA-1 repository: the object of `git cat-file commit`, and a list of all files
 * (docs/conventions.md#git-commits).
 */
export async function hashCommit(repo: Repo, name: string): Promise<HashedCommit> {
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
  isBlob: boolean;
  object: string;
  path: Buffer;
}

async function hashTree(repo: Repo, tree: string): Promise<string> {
  const entries = parseEntries(await gitOutput(repo, ['ls-tree', '-r', '-z', '--full-tree', tree]));
  const blobs = [...new Set(entries.filter((entry) => entry.isBlob).map(({ object }) => object))];
  const reader = batchReader();
  if (blobs.length > 0)
    await runGit(repo, ['cat-file', '--batch'], (chunk) => reader.add(chunk), {
      input: `${blobs.join('\n')}\n`,
    });
  const list = createHash('sha256');
  for (const { mode, isBlob, object, path } of entries) {
    const hash = isBlob ? reader.hashes.get(object) : object;
    if (hash === undefined)
      throw inputError(
        `the repository does not have object ${object} (${path.toString('utf8')}): fetch it first (a partial clone leaves objects out)`,
      );
    list.update(`${mode} ${hash} `).update(path).update('\0');
  }
  return list.digest('hex');
}

/** `<mode> <type> <object>\t<path>\0`, from `git ls-tree -z`. */
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

/** Reads `git cat-file --batch`: `<object> blob <size>`, LF, the content, LF. Other objects have no content. */
function batchReader() {
  const hashes = new Map<string, string>();
  let header = '';
  let blob: { object: string; hash: Hash; left: number } | null = null;
  const add = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length;) {
      if (blob === null) {
        const end = chunk.indexOf('\n', at);
        header += chunk.toString('latin1', at, end === -1 ? chunk.length : end);
        at = end === -1 ? chunk.length : end + 1;
        if (end === -1) return;
        const [object = '', type, size] = header.split(' ');
        header = '';
        if (type === 'blob') blob = { object, hash: createHash('sha256'), left: Number(size) };
      } else if (blob.left > 0) {
        const part = chunk.subarray(at, at + blob.left);
        blob.hash.update(part);
        blob.left -= part.length;
        at += part.length;
      } else {
        hashes.set(blob.object, blob.hash.digest('hex'));
        blob = null;
        at++;
      }
    }
  };
  return { hashes, add };
}
