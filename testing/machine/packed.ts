import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { newFolder } from './folder.ts';
import { type Ran, runProgram } from './program.ts';

const ROOT = join(import.meta.dirname, '../..');

/** This scope differs from the source's. */
export const SCOPE = '@witnessed';
export const PUBLISHED = ['protocol', 'contract', 'verifier', 'timestamp', 'sdk', 'cli', 'mcp'];

export interface Place {
  folder: string;
  uid?: number;
  node?: string;
}

export interface Running {
  input?: string;
  registry?: string | undefined;
  env?: Record<string, string>;
}

export const runAlone = (
  { folder, uid, node = process.execPath }: Place,
  program: string,
  args: readonly string[],
  { input = '', registry, env = {} }: Running = {},
): Promise<Ran> =>
  runProgram(program, args, {
    cwd: folder,
    input,
    ...(uid !== undefined && { uid, gid: uid }),
    env: {
      PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
      HOME: uid === undefined ? newFolder('home') : folder,
      npm_config_userconfig: join(folder, 'no-npmrc'),
      npm_config_cache: folder === ROOT ? newFolder('npm-cache') : join(folder, '.npm-cache'),
      npm_config_registry: registry,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      ...env,
    },
  });

/** @returns the folder of the release, and the tarball of each staged package */
export async function release(
  given: readonly string[] = ['--no-debian'],
  root = ROOT,
): Promise<{ out: string; tarballs: Map<string, string> }> {
  const out = newFolder('release');
  const fixed = ['--scope', SCOPE, '--repository', 'https://code.example/etch', '--out', out, '--dirty'];
  const program = ['scripts/release.mjs', ...fixed, ...given];
  const packed = await runAlone({ folder: root }, process.execPath, program);
  expect(packed, packed.err).toMatchObject({ status: 0 });
  const packages = JSON.parse(packed.out) as { folder: string; tarball: string }[];
  expect(packages).toHaveLength(PUBLISHED.length);
  return { out, tarballs: new Map(packages.map(({ folder, tarball }) => [folder, tarball])) };
}

/** The sources, with changes that are not committed. */
export function copyOfSources(): string {
  const folder = newFolder('sources');
  execFileSync('git', ['clone', '-q', '--shared', ROOT, folder]);
  const listed = execFileSync('git', ['ls-files', '-cmo', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const deleted = execFileSync('git', ['ls-files', '-d', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  for (const path of new Set(listed.split('\0')))
    if (path !== '' && !deleted.includes(path)) cpSync(join(ROOT, path), join(folder, path));
  return folder;
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
