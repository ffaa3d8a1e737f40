import { spawn } from 'node:child_process';
import { inject } from 'vitest';
import { newFolder } from '../machine/folder.ts';
import type { Ran } from '../machine/program.ts';
import { withoutNetwork } from '../machine/no-network.ts';

export type { Ran };

export const freshHome = () => newFolder('home');

export function svc(
  args: string[],
  {
    home = freshHome(),
    input = '',
    env = {},
    signal,
    onOut,
    onErr,
    network = true,
  }: {
    home?: string;
    input?: string;
    env?: Record<string, string>;
    signal?: AbortSignal;
    onOut?: (text: string) => void;
    onErr?: (text: string) => void;
    network?: boolean;
  } = {},
): Promise<Ran> {
  const command = [inject('svcProgram'), ...args];
  const [program, ...given] = network ? [process.execPath, ...command] : withoutNetwork(command);
  const child = spawn(program, given, {
    env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, ...env },
  });
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  const ran: Ran = { status: null, out: '', err: '' };
  child.stdout.on('data', (text) => (ran.out += String(text)));
  child.stderr.on('data', (text) => (ran.err += String(text)));
  if (onOut) child.stdout.on('data', (text) => onOut(String(text)));
  if (onErr) child.stderr.on('data', (text) => onErr(String(text)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ ...ran, status }));
  });
}
