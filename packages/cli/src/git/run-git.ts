import { spawn } from 'node:child_process';
import { CommandError, EXIT } from '../exit.ts';

/**
 * Replacement objects would show other content under a commit's name. A repository can name a command that git runs to fetch a
 * missing object, so git may fetch nothing.
 */
const ENV = { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '', LC_ALL: 'C' };

/**
 * Runs git in a folder and reads its output in chunks.
 * @returns the exit status
 * @throws {CommandError} when git is not installed, or fails with a status that is not in `accept`
 */
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
      reject(new CommandError(EXIT.input, `git cannot be run (${code}): install it, or add it to PATH`)),
    );
    git.on('close', (code) => resolve(code ?? 1));
  });
  // Git may end before it reads all input; its exit status says why.
  git.stdin.on('error', () => undefined).end(input);
  const read = async (): Promise<void> => {
    for await (const chunk of git.stdout) onChunk(chunk as Buffer);
  };
  const [code] = await Promise.all([status, read()]);
  if (accept.includes(code)) return code;
  throw new CommandError(
    EXIT.input,
    `git ${args[0]}: ${said.trim().split('\n')[0] || `exit status ${code}`}`,
  );
}

/** The whole output of git. */
export async function gitOutput(repo: string, args: readonly string[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await runGit(repo, args, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}
