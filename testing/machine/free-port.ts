import { randomInt } from 'node:crypto';
import { freePort } from '../../packages/server/src/chain/free-port.ts';

/** Below the range from which the system gives ports to outgoing connections, so that it is still free after a kill. */
const FIRST = 20_000;
const LAST = 32_000;

/** A port on which a process can listen again and again. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if ((await freePort('127.0.0.1', port)) === port) return port;
  }
}
