import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Only a loopback that is down: as this user, or as root of a user namespace. */
const unshare = [['-n'], ['-rn']].find((flags) => spawnSync('unshare', [...flags, 'true']).status === 0);

/** In a namespace, or with every socket blocked. */
export const withoutNetwork = (args: readonly string[]): [program: string, ...args: string[]] =>
  unshare === undefined
    ? [process.execPath, '--import', join(import.meta.dirname, 'refuse-sockets.mjs'), ...args]
    : ['unshare', ...unshare, process.execPath, ...args];
