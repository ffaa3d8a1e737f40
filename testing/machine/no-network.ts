import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** How to make a network namespace, whose only interface is a loopback that is down: as this user, or as root of a user namespace. */
const unshare = [['-n'], ['-rn']].find((flags) => spawnSync('unshare', [...flags, 'true']).status === 0);

/** Runs a Node program without a network: in a namespace, or with every socket blocked. */
export const withoutNetwork = (args: readonly string[]): [program: string, ...args: string[]] =>
  unshare === undefined
    ? [process.execPath, '--import', join(import.meta.dirname, 'refuse-sockets.mjs'), ...args]
    : ['unshare', ...unshare, process.execPath, ...args];
