import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The loopback of a new namespace is down. Without root a user namespace is needed. */
const unshare = [['-n'], ['-rn']].find((flags) => spawnSync('unshare', [...flags, 'true']).status === 0);

/** Runs a program in a namespace, or blocks every socket. */
export const withoutNetwork = (args: readonly string[]): [program: string, ...args: string[]] =>
  unshare === undefined
    ? [process.execPath, '--import', join(import.meta.dirname, 'refuse-sockets.mjs'), ...args]
    : ['unshare', ...unshare, process.execPath, ...args];
