import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startServer } from '../machine/server.ts';

interface Seen {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Fate = (response: ServerResponse, request: Seen) => void;

export type FaultServer = Awaited<ReturnType<typeof startFaultServer>>;

export async function startFaultServer() {
  const server = await startServer((request, response) => {
    void text(request).then((body) => {
      const seen = { method: request.method!, path: request.url!, headers: request.headers, body };
      state.seen.push(seen);
      const fate = state.fates.length > 1 ? state.fates.shift()! : state.fates[0]!;
      fate(response, seen);
    });
  });
  const state = {
    url: server.url,
    seen: [] as Seen[],
    close: () => server.stop(),
    /** The last one repeats. */
    fates: [] as Fate[],
  };
  return state;
}

export const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Fate =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };

export const refuse = (status: number, code: string, headers: Record<string, string> = {}): Fate =>
  json(status, { error: { code, message: `refused with ${status}` } }, headers);

export const breakOff: Fate = (response) => void response.destroy();

export const silence: Fate = () => undefined;
