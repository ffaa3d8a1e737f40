import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A node that answers browsers of any origin, as public endpoints do; the devnet itself answers none. */
export async function startOpenRpc(target: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    outgoing.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*');
    if (incoming.method !== 'POST') {
      outgoing.writeHead(204).end();
      return;
    }
    text(incoming)
      .then((body) =>
        fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      )
      .then((answer) => answer.text())
      .then((answer) => outgoing.setHeader('content-type', 'application/json').end(answer))
      .catch(() => outgoing.writeHead(502).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
