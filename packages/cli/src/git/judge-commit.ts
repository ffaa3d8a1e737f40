import { readWords } from '@svc/protocol/conventions';
import { findCommit, hashCommit, type HashedCommit } from './hash-commit.ts';
import { runGit } from './run-git.ts';

const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})\.commit$/;

export async function commitFault(
  content: string,
  repo: string,
  rev: string,
): Promise<{ fault: string | null; found: HashedCommit }> {
  const found = await hashCommit(repo, await findCommit(repo, rev));
  const words = readWords(content);
  const listed = words.kind === 'files' && words.form === 'list' ? words.files : [];
  const named = listed.map(({ name }) => COMMIT.exec(name)?.[1]).find((name) => name !== undefined);
  if (named === undefined) return { fault: 'the etch commits to no Git commit', found };
  if (named !== found.name) return { fault: await whyOther(repo, rev, named, found.name), found };
  const [commit, tree] = found.files;
  const sumOf = (name: string): string | undefined => listed.find((one) => one.name === name)?.sha256;
  const fault =
    sumOf(commit.name) !== commit.sha256
      ? `commit ${named} is a different object than the anchored one, although the name is the same`
      : sumOf(tree.name) !== tree.sha256
        ? `the files of commit ${named} are not the anchored ones, although the name is the same`
        : null;
  return { fault, found };
}

async function whyOther(repo: string, rev: string, anchored: string, now: string): Promise<string> {
  const other = `${rev} is commit ${now}, and the etch commits to ${anchored}`;
  const ends = { accept: [0, 1, 128] };
  const status = await runGit(repo, ['merge-base', '--is-ancestor', anchored, now], () => undefined, ends);
  if (status === 0) return `${other}: ${rev} moved on. To check the anchored commit, name ${anchored}`;
  if (status === 1) return `${other}, which is not part of its history: ${rev} was moved or rewritten`;
  return `${other}, which this repository does not have`;
}
