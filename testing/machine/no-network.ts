import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** May this user make a network namespace, which has no interface but a loopback that is down? */
const CAN_UNSHARE = spawnSync('unshare', ['-n', 'true']).status === 0;

/** How a Node program is run where there is no network: in a namespace of its own, else with every socket refused. */
export const withoutNetwork = (args: readonly string[]): [program: string, ...args: string[]] =>
  CAN_UNSHARE
    ? ['unshare', '-n', process.execPath, ...args]
    : [process.execPath, '--import', join(import.meta.dirname, 'refuse-sockets.mjs'), ...args];
