import { spawn, type SpawnOptions } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { eventually } from '../wait.ts';

export interface Ran {
  status: number | null;
  out: string;
  err: string;
}

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input = '', ...options }: Omit<SpawnOptions, 'stdio'> & { input?: string } = {},
): Promise<Ran> {
  const child = spawn(program, args, { ...options, stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, out, err };
}

interface Signal {
  /** ends the server */
  signal?: NodeJS.Signals;
}

/** A server that ends with this process. */
export async function startProgram(
  program: string,
  args: readonly string[],
  isUp: (said: string) => boolean | Promise<boolean>,
  { signal = 'SIGTERM', ...options }: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> & Signal = {},
): Promise<{ stop: () => Promise<void> }> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  process.once('exit', () => child.kill(signal));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await eventually(`${program} is up`, () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    return isUp(said);
  });
  return {
    stop: async () => {
      child.kill(signal);
      await ended;
    },
  };
}
