import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';

/** Below the system's range for outgoing connections, so that the port is still free after a kill. */
const FIRST = 20_000;
const LAST = 32_000;

/**
 * Returns a port on which a process can listen repeatedly. No other caller of this function, in any process, gets it while this
 * process lives: the UDP port of the same number, which nothing uses, is bound as a claim.
 */
export async function lastingPort() {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await claim(port)) return port;
  }
}

const claim = (port) =>
  new Promise((resolve) => {
    const sign = createSocket('udp4').unref();
    sign.once('error', () => {
      sign.close();
      resolve(false);
    });
    sign.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
