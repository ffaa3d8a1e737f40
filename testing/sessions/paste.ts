import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect } from 'vitest';
import { shellBlocks } from '../repository.ts';
import { newDataDir } from '../database/embedded.ts';
import { newFolder } from '../machine/folder.ts';
import { type ServiceProcess, startService } from '../system/service-process.ts';

export interface Reader {
  readonly node: string;
  folder(): string;
  readonly programs: readonly string[];
  /** rewrites paths of a clone */
  typed(script: string): string;
}

const IN_CLONE = ['node_modules', 'packages', 'svc', 'svc-admin', 'package.json', 'scripts', 'docs'];

/** Uses a copy, so that nothing is written into this checkout. */
export const inClone = (node = process.execPath): Reader => ({
  node,
  programs: [],
  folder: () => linked(IN_CLONE, join(import.meta.dirname, '../..')),
  typed: (script) => script,
});

export const withPackages = (project: string, scope: string, node = process.execPath): Reader => ({
  node,
  programs: [join(project, 'node_modules/.bin')],
  folder: () => linked(['node_modules', 'package.json'], project),
  typed: (script) =>
    // A session may define a function `svc`.
    script.replaceAll('./svc ', 'command svc ').replaceAll('packages/sdk/', `node_modules/${scope}/sdk/`),
});

function linked(names: readonly string[], from: string): string {
  const folder = newFolder('session');
  for (const name of names) symlinkSync(join(from, name), join(folder, name));
  return folder;
}

export const session = (document: string): string => sessionBlocks(document).join('\n');

export function sessionBlocks(document: string): string[] {
  const blocks = shellBlocks(document).filter(({ pasted }) => pasted);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.map(({ text }) => text);
}

export async function paste(
  script: string,
  env: Record<string, string>,
  reader: Reader,
): Promise<{ status: number | null; said: string }> {
  const folder = reader.folder();
  const path = [...reader.programs, dirname(reader.node), process.env['PATH']].join(delimiter);
  // A failed step ends the session.
  const child = spawn('bash', ['-eo', 'pipefail', '-c', reader.typed(script)], {
    cwd: folder,
    env: { PATH: path, HOME: newFolder('home'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const status = await ended;
  try {
    process.kill(-child.pid!, 'SIGTERM');
  } catch {
    // The group has ended.
  }
  expect(secretsIn(folder), 'files with secrets in the folder that it was pasted in').toEqual([]);
  return { status, said: (await said).join('') };
}

function secretsIn(folder: string): string[] {
  // With `recursive`, newer Node.js versions follow links.
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return secretsIn(path);
    if (!entry.isFile()) return [];
    const held = readFileSync(path, 'latin1');
    return /PRIVATE KEY|svc_sk_|whsec_|secret_key|^[0-9a-f]{64}\s*$/.test(held) ? [path] : [];
  });
}

export async function withService(
  settings: Record<string, string>,
  { node }: Reader,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const service = await startService(
    { PORT: '0', DATA_DIR: await newDataDir(), DEVNET_PORT: '0', ...settings },
    { node },
  );
  try {
    await work(service.url);
  } finally {
    await service.stop();
  }
}

const shared = new Map<string, Promise<ServiceProcess>>();

export async function sharedService({ node, programs }: Reader): Promise<string> {
  const whose = [node, ...programs].join();
  const starting =
    shared.get(whose) ??
    newDataDir().then((dataDir) =>
      startService({ PORT: '0', DATA_DIR: dataDir, DEVNET_PORT: '0', ...SHARED }, { node }),
    );
  shared.set(whose, starting);
  return (await starting).url;
}

const SHARED = {
  MIN_REVEAL_LEAD_SECONDS: '1',
  LIMIT_ANON_PER_MINUTE: '100000',
  LIMIT_KEY_PER_MINUTE: '100000',
  LIMIT_REGISTRATIONS_PER_HOUR: '100000',
};

/** Call it in each file, outside of tests. */
export function useSharedServices(): void {
  afterAll(async () => {
    for (const starting of shared.values()) await (await starting).stop();
    shared.clear();
  });
}
