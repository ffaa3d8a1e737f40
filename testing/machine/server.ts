import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface LocalServer {
  readonly url: string;
  readonly port: number;
  /** Ends every connection. */
  drop: () => void;
  stop: () => Promise<void>;
}

export async function startServer(answer: RequestListener, port = 0): Promise<LocalServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    drop: () => server.closeAllConnections(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** For all tests of a file. */
export function useServer(answer: RequestListener): { readonly url: string } {
  let server: LocalServer;
  beforeAll(async () => {
    server = await startServer(answer);
  });
  afterAll(() => server.stop());
  return {
    get url() {
      return server.url;
    },
  };
}
