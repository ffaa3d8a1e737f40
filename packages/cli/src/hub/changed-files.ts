// The files of a hub that differ between a commit and the checkout, also those that Git does not track yet.
import { lstatSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { usageError } from '../exit.ts';
import { gitOutput, openRepo } from '../git/run-git.ts';
import { realPath } from './hub-file.ts';
import type { Hub } from './read-hub.ts';
import { recordPath, RECORD_FOLDER } from './record-file.ts';

export interface ChangedFiles {
  /** whether the file of this round and model, or its record, changed */
  has(file: { round: string; model: string; path?: string }): boolean;
  /** warnings about the change, for readers of the table */
  notes: { words: string; names: string[] }[];
}

/** @param trusted files that the reader names, by which the files are checked */
export async function changedFiles(
  hub: Hub,
  revision: string,
  trusted: readonly (string | undefined)[],
): Promise<ChangedFiles> {
  if (revision.startsWith('-'))
    throw usageError(`--changed-since ${revision}: a commit, branch or tag of Git does not begin with -`);
  const root = realPath(hub.root);
  const repo = await openRepo(root);
  const git = async (...args: string[]) => String(await gitOutput(repo, args));
  // The revision may have changes that the checkout does not have yet.
  const base = await git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`)
    .then((commit) => git('merge-base', commit.trim(), 'HEAD'))
    .catch((error: unknown) => {
      throw usageError(
        `--changed-since ${revision}: ${(error as Error).message}. Name a commit, branch or tag that the checkout has; a shallow clone (fetch-depth) has few commits`,
      );
    });
  const top = join(root, (await git('rev-parse', '--show-cdup')).trim());
  const folders = [hub.outputFolder, RECORD_FOLDER];
  const names = [
    await git(
      ...'diff --name-only -z --no-renames --no-ext-diff --no-relative'.split(' '),
      base.trim(),
      '--',
    ),
    await git('ls-files', '-z', '--others', '--exclude-standard', '--full-name', '--', ...folders),
  ];
  const paths = names.flatMap((list) => list.split('\0').filter(Boolean)).map((name) => join(top, name));
  const within = (...parts: string[]) => paths.filter((path) => path.startsWith(join(root, ...parts)));
  const configured = ['admin.json', 'tasks.json'].map((name) => join(root, 'hub-config', name));
  const guards = new Set(
    [...configured, ...trusted].flatMap((path) =>
      path === undefined ? [] : [resolve(path), realPath(path)],
    ),
  );
  const notes = [
    {
      words: 'the change includes the configuration or the trust by which its files are checked',
      names: paths.filter((path) => guards.has(path) || path.startsWith(join(root, 'hub-config', sep))),
    },
    {
      words: 'the change removes files',
      names: folders
        .flatMap((folder) => within(folder, sep))
        .filter((path) => lstatSync(path, { throwIfNoEntry: false }) === undefined),
    },
  ];
  // A changed link has the files below it.
  const changed = new Set(paths);
  const isChanged = (path: string): boolean =>
    changed.has(path) || (path !== dirname(path) && isChanged(dirname(path)));
  return {
    has: ({ round, model, path }) =>
      [path, recordPath(hub, { round, model })].some(
        (one) => one !== undefined && isChanged(join(root, relative(hub.root, one))),
      ) || within(hub.outputFolder, model, `${round}-${model}.`).length > 0,
    notes: notes
      .filter((note) => note.names.length > 0)
      .map((note) => ({ ...note, names: note.names.map((path) => relative(root, path)) })),
  };
}
