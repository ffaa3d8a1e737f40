import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../port.ts';

/** The devnet's files on the disk. */
export interface DevnetFiles {
  directory: string;
  /** parameters of the first block; they fix the chain's identity */
  genesis: string;
  /** the last saved state, gzip-compressed JSON (its checksum finds damage) */
  state: string;
  /** the same unpacked for anvil; exists only during a start */
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

/** Writes a file atomically: after a crash or a power cut it has the old bytes or the new ones, complete. */
export async function writeDurably(path: string, data: string | Uint8Array): Promise<void> {
  const aside = `${path}.new`;
  const file = await open(aside, 'w', 0o600);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, path);
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } catch {
    // some file systems cannot sync a directory; the rename is atomic all the same
  } finally {
    await directory.close();
  }
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The attester's key, made at the first start. @throws Error if the file contains something else */
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

/** Unpacks the saved state for anvil; gzip's checksum finds damage. */
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

/** Renames an unusable state, so that an operator can examine it and the next start does not load it. */
export async function setStateAside(files: DevnetFiles): Promise<string> {
  const aside = `${files.state}.unusable`;
  await rename(files.state, aside);
  return aside;
}

export async function removeUnpacked(files: DevnetFiles): Promise<void> {
  await rm(files.unpacked, { force: true });
}
