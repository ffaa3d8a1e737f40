import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which the system gives ports to outgoing connections, so that it is still free after a kill. */
const FIRST = 20_000;
const LAST = 32_000;

/** A port on which a process can listen again and again. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
