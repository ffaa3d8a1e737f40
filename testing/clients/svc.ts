import { spawn } from 'node:child_process';
import { inject } from 'vitest';
import { newFolder } from '../machine/folder.ts';
import type { Ran } from '../machine/program.ts';
import { withoutNetwork } from '../machine/no-network.ts';

export type { Ran };

interface Running {
  home?: string;
  input?: string;
  env?: Record<string, string>;
  signal?: AbortSignal;
  onOut?: (text: string) => void;
  onErr?: (text: string) => void;
  network?: boolean;
}

export const freshHome = () => newFolder('home');

export function svc(
  args: string[],
  { home = freshHome(), input = '', env = {}, signal, onOut, onErr, network = true }: Running = {},
): Promise<Ran> {
  const command = [inject('svcProgram'), ...args];
  const [program, ...given] = network ? [process.execPath, ...command] : withoutNetwork(command);
  const child = spawn(program, given, {
    env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, ...env },
  });
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  const ran: Ran = { status: null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => ((ran.out += text), onOut?.(text)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => ((ran.err += text), onErr?.(text)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ ...ran, status }));
  });
}
