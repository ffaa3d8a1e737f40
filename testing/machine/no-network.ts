import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * What makes a network namespace, which has no interface but a loopback that is down: as this user, else as the root of a user
 * namespace of its own.
 */
const unshare = [['-n'], ['-rn']].find((flags) => spawnSync('unshare', [...flags, 'true']).status === 0);

/** How a Node program is run where there is no network: in a namespace of its own, else with every socket refused. */
export const withoutNetwork = (args: readonly string[]): [program: string, ...args: string[]] =>
  unshare === undefined
    ? [process.execPath, '--import', join(import.meta.dirname, 'refuse-sockets.mjs'), ...args]
    : ['unshare', ...unshare, process.execPath, ...args];
