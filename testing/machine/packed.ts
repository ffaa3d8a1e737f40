import { spawn } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { newFolder } from './folder.ts';

const root = join(import.meta.dirname, '../..');

/** This scope differs from the source's. */
export const SCOPE = '@witnessed';
export const PUBLISHED = ['protocol', 'contract', 'verifier', 'timestamp', 'sdk', 'cli', 'mcp'];

export interface Ran {
  status: number | null;
  out: string;
  err: string;
}

export interface Place {
  folder: string;
  uid?: number;
  node?: string;
}

export interface Running {
  input?: string;
  registry?: string | undefined;
}

export async function runAlone(
  { folder, uid, node = process.execPath }: Place,
  program: string,
  args: readonly string[],
  { input = '', registry }: Running = {},
): Promise<Ran> {
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
      HOME: uid === undefined ? newFolder('home') : folder,
      npm_config_userconfig: join(folder, 'no-npmrc'),
      npm_config_cache: folder === root ? newFolder('npm-cache') : join(folder, '.npm-cache'),
      npm_config_registry: registry,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, out, err };
}

export async function pack(): Promise<Map<string, string>> {
  const packed = await runAlone({ folder: root }, process.execPath, [
    ...['scripts/release.mjs', '--scope', SCOPE, '--repository', 'https://code.example/etch'],
    ...['--out', newFolder('release'), '--dirty'],
  ]);
  expect(packed, packed.err).toMatchObject({ status: 0 });
  const told = JSON.parse(packed.out) as { folder: string; tarball: string }[];
  expect(told).toHaveLength(PUBLISHED.length);
  return new Map(told.map(({ folder, tarball }) => [folder, tarball]));
}

export async function install(
  what: readonly string[],
  registry: string,
  { uid, node }: Omit<Place, 'folder'> = {},
): Promise<Place> {
  const folder = newFolder('project');
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  if (uid !== undefined) for (const path of [folder, join(folder, 'package.json')]) chownSync(path, uid, uid);
  const place = { folder, ...(uid !== undefined && { uid }), ...(node !== undefined && { node }) };
  const installed = await runAlone(place, 'npm', ['install', ...what], { registry });
  expect(installed, installed.err).toMatchObject({ status: 0 });
  return place;
}
