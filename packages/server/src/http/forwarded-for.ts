import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

const WITH_PORT = [/^\[(.*)\](?::\d+)?$/, /^(\d+\.\d+\.\d+\.\d+):\d+$/];

/** Removes the ports that some proxies append. */
export function readForwardedFor(app: FastifyInstance): void {
  let warned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, socket } = request.raw;
    const header = headers['x-forwarded-for'];
    if (header !== undefined) {
      headers['x-forwarded-for'] = String(header).split(',').map(withoutPort).join(', ');
      if (isIP(request.ip) === 0) {
        headers['x-forwarded-for'] = socket.remoteAddress;
        if (!warned)
          request.log.warn(
            'TRUST_PROXY: X-Forwarded-For names no IP address, so requests count by the address of the proxy: have the proxy send the address of the client',
          );
        warned = true;
      }
    }
    done();
  });
}

function withoutPort(text: string): string {
  const address = text.trim();
  for (const form of WITH_PORT) {
    const found = form.exec(address)?.[1];
    if (found !== undefined) return found;
  }
  return address;
}
