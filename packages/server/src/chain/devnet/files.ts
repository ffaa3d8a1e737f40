// The files of the development chain in DATA_DIR: genesis, relayer key and saved state.
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { privateKeyToAccount } from 'viem/accounts';
import { readIfPresent, writeDurably } from '../../db/files.ts';
import type { Hex } from '../port.ts';

export interface DevnetFiles {
  directory: string;
  genesis: string;
  state: string;
  unpacked: string;
  pid: string;
  relayerKey: string;
}

export async function prepareDevnetFiles(dataDir: string): Promise<DevnetFiles> {
  const directory = join(dataDir, 'devnet');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const at = (name: string) => join(directory, name);
  return {
    directory,
    genesis: at('genesis.json'),
    state: at('state.json.gz'),
    unpacked: at('state.json'),
    pid: at('anvil.pid'),
    relayerKey: at('relayer.key'),
  };
}

export async function relayerKey(path: string): Promise<Hex> {
  const stored = await readIfPresent(path);
  if (stored === undefined) {
    const key: Hex = `0x${randomBytes(32).toString('hex')}`;
    privateKeyToAccount(key);
    await writeDurably(path, `${key}\n`);
    return key;
  }
  const key = stored.trim();
  if (!/^0x[0-9a-f]{64}$/.test(key)) {
    throw new Error(`${path} does not contain a private key: restore it, or remove it to get a new relayer`);
  }
  await chmod(path, 0o600);
  return key as Hex;
}

export type SavedState = 'absent' | 'unpacked' | 'damaged';

export async function unpackState(files: DevnetFiles): Promise<SavedState> {
  const found = await stat(files.state).catch(() => undefined);
  if (!found) return 'absent';
  try {
    if (found.size === 0) return 'damaged';
    await pipeline(
      createReadStream(files.state),
      createGunzip(),
      createWriteStream(files.unpacked, { mode: 0o600 }),
    );
    return 'unpacked';
  } catch {
    return 'damaged';
  }
}
