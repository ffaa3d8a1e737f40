import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the range from which the system gives ports to outgoing connections, so that it is still free after a kill. */
const FIRST = 20_000;
const LAST = 32_000;
const HOST = '127.0.0.1';

/**
 * A port on which a process can listen again and again. Nobody who asks here gets it as well while this process lives, in whatever
 * process: its UDP twin, which nothing here uses, is held as a sign that it is taken.
 */
export async function lastingPort() {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isTaken(port)) continue;
    if (await isFree(port)) return port;
  }
}

const isTaken = (port) =>
  new Promise((resolve) => {
    const sign = createSocket('udp4').unref();
    sign.once('error', () => {
      sign.close();
      resolve(true);
    });
    sign.bind({ port, address: HOST, exclusive: true }, () => resolve(false));
  });

/** Somebody may listen there who did not ask here. */
const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
