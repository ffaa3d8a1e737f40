import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { type LocalServer, startServer } from '../machine/server.ts';

export interface LosingProxy {
  readonly url: string;
  /** drops answers to this method, though the service handles the requests */
  loses: 'GET' | 'POST' | undefined;
  posted: string[];
}

export function useLosingProxy(service: { readonly url: string }): LosingProxy {
  let server: LocalServer;
  const proxy: LosingProxy = {
    get url() {
      return server.url;
    },
    loses: undefined,
    posted: [],
  };
  beforeAll(async () => {
    server = await startServer((request, response) => {
      void passOn(request).catch(() => response.destroy());
      async function passOn({ method, url, headers }: IncomingMessage): Promise<void> {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
        const body = Buffer.concat(chunks);
        if (method === 'POST') proxy.posted.push(body.toString());
        const { host: _, connection: __, 'content-length': ___, ...passed } = headers;
        const answer = await fetch(service.url + url, {
          method: method!,
          headers: passed as Record<string, string>,
          redirect: 'manual',
          ...(body.length > 0 && { body }),
        });
        const answered = Buffer.from(await answer.arrayBuffer());
        if (method === proxy.loses) return void response.destroy();
        const {
          'content-encoding': ____,
          'transfer-encoding': _____,
          ...told
        } = Object.fromEntries(answer.headers);
        response.writeHead(answer.status, { ...told, 'content-length': answered.length }).end(answered);
      }
    });
  });
  afterAll(() => server.stop());
  return proxy;
}
