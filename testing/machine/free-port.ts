import { freePort } from '../../packages/server/src/chain/devnet/anvil.ts';
import { lastingPort as ownPort } from '../../scripts/lasting-port.mjs';

export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = await ownPort();
    if ((await freePort('127.0.0.1', port)) === port) return port;
  }
}
