import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newFolder } from '../machine/folder.ts';
import type { Json } from '../json.ts';
import { notePrinted } from './secrets.ts';

const PROGRAM = join(import.meta.dirname, '../../packages/server/bin/svc-admin.mjs');

export interface AdminRun {
  status: number | null;
  out: string;
  err: string;
  json: Json;
}

export async function svcAdmin(
  settings: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<AdminRun> {
  // The process runs briefly, so optimized code costs more than it saves.
  const flags = settings['DATABASE_URL'] ? [] : ['--liftoff-only'];
  const child = spawn(process.execPath, [...flags, PROGRAM, ...args], {
    cwd: newFolder('cwd'),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  notePrinted(out + err);
  return { status, out, err, json: out.startsWith('{') ? JSON.parse(out) : undefined };
}
