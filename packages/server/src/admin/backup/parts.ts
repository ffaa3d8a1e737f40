import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDirectory } from '../../db/directory-lock.ts';
import type { Config } from '../../settings/config.ts';
import { writeTar } from '../archive/tar-files.ts';
import { exists } from '../open.ts';

export function embeddedFolders(config: Config): string[] {
  return [
    ...(config.secrets.databaseUrl === undefined ? ['database'] : []),
    ...(config.chain.embedded ? ['devnet'] : []),
  ];
}

export const SECRETS = ['secret-keys', 'devnet/relayer.key'] as const;

/** Skips locks, files of a running process, and secrets. */
const PASSED_OVER =
  /^(database\/lock\.sock.*|database\/postmaster\.pid|devnet\/(relayer\.key|lock\.sock.*|anvil\.pid|state\.json|.*\.new))$/;

export async function packEmbedded(config: Config, file: string): Promise<void> {
  const folders: string[] = [];
  for (const name of embeddedFolders(config))
    if (await exists(join(config.dataDir, name))) folders.push(name);
  const locks = [];
  try {
    for (const name of folders) locks.push(await lockDirectory(join(config.dataDir, name)));
    await writeTar(file, async (tar) => {
      const add = async (name: string): Promise<void> => {
        await tar.addFolder(name);
        const entries = await readdir(join(config.dataDir, name), { withFileTypes: true });
        for (const entry of entries) {
          const path = `${name}/${entry.name}`;
          if (PASSED_OVER.test(path)) continue;
          if (entry.isDirectory()) await add(path);
          else if (entry.isFile()) await tar.addFile(path, join(config.dataDir, path));
        }
      };
      for (const name of folders) await add(name);
    });
  } finally {
    for (const lock of locks) await lock.release();
  }
}
