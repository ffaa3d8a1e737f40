import { spawn } from 'node:child_process';
import { inputError } from '../exit.ts';

/** Git runs in this folder, with this environment. */
export interface Repo {
  folder: string;
  env: NodeJS.ProcessEnv;
}

/**
 * No replacement objects, which would show other content; no fetch, because a repository can name the command for
 * it.
 */
const OURS = { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '', LC_ALL: 'C' };

/** Configuration, such as `safe.directory`, names no repository. Git keeps it too when it enters a submodule. */
const KEPT = ['GIT_CONFIG_PARAMETERS', 'GIT_CONFIG_COUNT'];

/**
 * Git names the repository of a hook in its environment (GIT_DIR), which takes precedence over the folder. A
 * repository that the user named ignores these variables; the current folder's does not.
 */
export async function openRepo(named: string | undefined): Promise<Repo> {
  const repo = { folder: named ?? '.', env: { ...process.env, ...OURS } };
  if (named === undefined) return repo;
  const local = (await gitOutput(repo, ['rev-parse', '--local-env-vars'])).toString('utf8').split('\n');
  const foreign = new Set(local.filter((name) => !KEPT.includes(name)));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.has(name)));
  return { folder: named, env: { ...env, ...OURS } };
}

export async function runGit(
  { folder, env }: Repo,
  args: readonly string[],
  onChunk: (chunk: Buffer) => void,
  { input = '', accept = [0] }: { input?: string; accept?: number[] } = {},
): Promise<number> {
  const git = spawn('git', ['-C', folder, ...args], { env });
  let stderr = '';
  git.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
  const status = new Promise<number>((resolve, reject) => {
    git.on('error', ({ code }: NodeJS.ErrnoException) =>
      reject(inputError(`git cannot be run (${code}): install it, or add it to PATH`)),
    );
    git.on('close', (code) => resolve(code ?? 1));
  });
  // The exit status says why git ended early.
  git.stdin.on('error', () => undefined).end(input);
  const read = async (): Promise<void> => {
    for await (const chunk of git.stdout) onChunk(chunk as Buffer);
  };
  const [code] = await Promise.all([status, read()]);
  if (accept.includes(code)) return code;
  throw inputError(`git ${args[0]}: ${reasonOf(stderr) || `exit status ${code}`}`);
}

export async function gitOutput(repo: Repo, args: readonly string[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await runGit(repo, args, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** Git may warn before it fails. */
function reasonOf(stderr: string): string {
  const lines = stderr.trim().split('\n');
  const reason = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0]!;
  const isPartial = /promisor|lazy fetching/.test(stderr);
  return isPartial
    ? `${reason}; the repository is a partial clone: run git fetch --refetch --no-filter in it first`
    : reason;
}
