import { join } from 'node:path';
import { newFolder } from '../machine/folder.ts';
import { type Ran, runProgram } from '../machine/program.ts';
import type { Json } from '../json.ts';
import { notePrinted } from './secrets.ts';

const PROGRAM = join(import.meta.dirname, '../../packages/server/bin/svc-admin.mjs');

export interface AdminRun extends Ran {
  json: Json;
}

export async function svcAdmin(
  settings: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<AdminRun> {
  // The process runs briefly, so optimized code costs more than it saves.
  const flags = settings['DATABASE_URL'] ? [] : ['--liftoff-only'];
  const ran = await runProgram(process.execPath, [...flags, PROGRAM, ...args], {
    cwd: newFolder('cwd'),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
  });
  notePrinted(ran.out + ran.err);
  return { ...ran, json: ran.out.startsWith('{') ? JSON.parse(ran.out) : undefined };
}
