import { spawn } from 'node:child_process';
import { inputError } from '../exit.ts';

/**
 * No replacement objects, which would show other content; no fetch, because a repository can name the command for
 * it.
 */
const ENV = { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '', LC_ALL: 'C' };

export async function runGit(
  repo: string,
  args: readonly string[],
  onChunk: (chunk: Buffer) => void,
  { input = '', accept = [0] }: { input?: string; accept?: number[] } = {},
): Promise<number> {
  const git = spawn('git', ['-C', repo, ...args], { env: { ...process.env, ...ENV } });
  let said = '';
  git.stderr.setEncoding('utf8').on('data', (text: string) => void (said += text));
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
  throw inputError(`git ${args[0]}: ${said.trim().split('\n')[0] || `exit status ${code}`}`);
}

export async function gitOutput(repo: string, args: readonly string[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await runGit(repo, args, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}
