import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');

export const HOST = 'agents.example.org';
export const ca = fixture('ca.pem');

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  port: number;
  received: Received[];
  answer: { status: number; headers?: Record<string, string> } | null;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const server: Server = createServer({ cert: fixture('agents.pem'), key: fixture('agents.key.pem') });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    received: [],
    answer: { status: 200 },
    close: () => (server.closeAllConnections(), server.close()),
  };
  server.on('request', (request, response) => {
    void text(request).then((body) => {
      receiver.received.push({ path: request.url!, headers: request.headers, body });
      if (receiver.answer) response.writeHead(receiver.answer.status, receiver.answer.headers).end('thanks');
    });
  });
  return receiver;
}
