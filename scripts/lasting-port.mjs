import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';

/** The range is below the one of outgoing connections, so a port is still free after a kill. */
const FIRST = 20_000;
const LAST = 32_000;

/** No process gets the same port twice: the UDP port of the same number is the claim. */
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
