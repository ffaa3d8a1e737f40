import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service in front of the real one, which answers for it, and may say something else. */
export interface LyingService {
  url: string;
  /** what was asked for, paths with their queries */
  asked: string[];
  /** changes an answer; undefined leaves it, null never answers */
  lie: (path: string, body: any) => unknown;
  stop(): Promise<void>;
}

export async function startLyingService(
  real: string,
  lie: LyingService['lie'] = () => undefined,
): Promise<LyingService> {
  const service: LyingService = { url: '', asked: [], lie, stop: () => Promise.resolve() };
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url!;
      service.asked.push(path);
      const answer = await fetch(real + path, { headers: { accept: 'application/json' } });
      const body = (await answer.json()) as unknown;
      const told = service.lie(path, structuredClone(body));
      if (told === null) return;
      const status = (told as { error?: unknown } | undefined)?.error === undefined ? answer.status : 404;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(told ?? body));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return service;
}
