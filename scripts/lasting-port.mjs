import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';

/** Below the range from which the system gives ports to outgoing connections, so that it is still free after a kill. */
const FIRST = 20_000;
const LAST = 32_000;

/**
 * A port on which a process can listen again and again, unless somebody does who did not ask here. Nobody who asks here gets it as well
 * while this process lives, in whatever process: its UDP twin, which nothing here uses, is held as a sign that it is taken.
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
