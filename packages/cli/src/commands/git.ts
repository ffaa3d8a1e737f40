import { command, group, word } from '../command.ts';
import { say } from '../context.ts';
import { fileListWords, readWords } from '@svc/protocol/conventions';
import { SERVICE, TOPIC } from '../options.ts';
import { TRUST } from '../find-trust.ts';
import { findCommit, hashCommit, type HashedCommit } from '../git/hash-commit.ts';
import { openRepo, type Repo, runGit } from '../git/run-git.ts';
import { makeEtch, MAKE_OPTIONS } from '../make-etch.ts';
import { onDevelopment } from '../verdict-words.ts';
import { checkedEtch } from '../verify/checked-etch.ts';
import { EXIT } from '../exit.ts';

const SHA1_DIGITS = 40;
const SHA1_NOTE =
  'Git names this commit by SHA-1. Two objects with the same SHA-1 name can be made, so the name alone does not prove the content; the SHA-256 hashes do.';

const INPUT = {
  ...SERVICE,
  '--repo <folder>': 'the repository (default: the current folder, or in a hook the repository of the hook)',
};

const anchor = command('anchor', 'etch the SHA-256 of a commit object and of its files, which are not sent', {
  input: {
    ...INPUT,
    ...MAKE_OPTIONS,
    '[rev]': word('the commit', 'HEAD'),
    '--description <text>': word('public at once and permanently; at most 140 characters', 'A Git commit'),
    ...TOPIC,
  },
  examples: ['svc git anchor', 'svc git anchor v2.1 --description "Release 2.1" --wait'],
  async run({ rev, repo: named, description, topic: category_id, ...options }, context) {
    const repo = await openRepo(named);
    const { name, files } = await hashCommit(repo, await findCommit(repo, rev));
    if (name.length === SHA1_DIGITS) say(context, SHA1_NOTE);
    const body = { content: fileListWords(files), description, category_id, mode: 'instant' } as const;
    const retry = ['--description', description];
    await makeEtch(body, options, context, { more: { commit: name }, retry });
  },
});

const verify = command('verify', 'check that an etch commits to a commit', {
  input: {
    ...INPUT,
    ...TRUST,
    '<etch>': 'a receipt file, or the id, code or url of an etch',
    '<rev>': 'the commit',
  },
  examples: ['svc git verify abc234 v2.1', 'svc git verify receipt.json HEAD --repo ../weir'],
  async run({ etch: target, rev, repo, ...options }, context) {
    const etch = await checkedEtch(target, options, context);
    const { fault, found } = await commitFault(etch.content, await openRepo(repo), rev);
    const { etch_id: id, chain } = etch.receipt;
    const { name: commit, files } = found;
    const passed = `PASS: etch ${id}, anchored at ${chain.anchored_at}, commits to commit ${commit} and to its files by SHA-256.`;
    if (commit.length === SHA1_DIGITS) say(context, SHA1_NOTE);
    const result = fault === null ? etch.result : 'fail';
    const agrees = result === 'pass' ? onDevelopment(passed, etch.isDevelopment) : etch.verdict;
    return {
      value: { result, etch: id, commit, files, fault, etch_verdict: etch.verdict },
      words: [
        ...files.map(({ name, sha256 }) => `${sha256}  ${name}`),
        fault === null ? agrees : `FAIL: ${fault}.`,
      ],
      status: EXIT[result],
    };
  },
});

export const gitCommand = group('git', 'commit to a Git commit by SHA-256, and check it', [anchor, verify]);

const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})\.commit$/;

async function commitFault(
  content: string,
  repo: Repo,
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

async function whyOther(repo: Repo, rev: string, anchored: string, now: string): Promise<string> {
  const other = `${rev} is commit ${now}, and the etch commits to ${anchored}`;
  const ends = { accept: [0, 1, 128] };
  const status = await runGit(repo, ['merge-base', '--is-ancestor', anchored, now], () => undefined, ends);
  if (status === 0) return `${other}: ${rev} moved on. To check the anchored commit, name ${anchored}`;
  if (status === 1) return `${other}, which is not part of its history: ${rev} was moved or rewritten`;
  return `${other}, which this repository does not have`;
}
