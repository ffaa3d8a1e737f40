import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { useServer } from '../machine/server.ts';

export interface LosingProxy {
  readonly url: string;
  /** drops answers to this method, though the service handles the requests */
  loses: 'GET' | 'POST' | undefined;
  posted: string[];
}

export function useLosingProxy(service: { readonly url: string }): LosingProxy {
  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const method = request.method!;
    if (method === 'POST') proxy.posted.push(body.toString());
    const { host: _, connection: __, 'content-length': ___, ...passed } = request.headers;
    const headers = passed as Record<string, string>;
    const sent = { method, headers, redirect: 'manual' as const, ...(body.length > 0 && { body }) };
    const answer = await fetch(service.url + request.url, sent);
    const answered = Buffer.from(await answer.arrayBuffer());
    if (method === proxy.loses) return void response.destroy();
    const kept = [...answer.headers].filter(([name]) => !/^(content|transfer)-encoding$/.test(name));
    response.writeHead(answer.status, { ...Object.fromEntries(kept), 'content-length': answered.length });
    response.end(answered);
  }
  const server = useServer((request, response) => {
    void passOn(request, response).catch(() => response.destroy());
  });
  const proxy: LosingProxy = Object.assign(server, { loses: undefined, posted: [] });
  return proxy;
}
