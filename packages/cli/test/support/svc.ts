import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../../bin/svc.mjs');

export interface Ran {
  status: number | null;
  out: string;
  err: string;
}

/** A folder of its own for what `svc` remembers. */
export const freshHome = () => mkdtempSync(join(tmpdir(), 'svc-cli-'));

/** Runs the real program. */
export function svc(
  args: string[],
  {
    home = freshHome(),
    input = '',
    env = {},
    signal,
  }: { home?: string; input?: string; env?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, ...env },
  });
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  const ran: Ran = { status: null, out: '', err: '' };
  child.stdout.on('data', (text) => (ran.out += String(text)));
  child.stderr.on('data', (text) => (ran.err += String(text)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ ...ran, status }));
  });
}
