import { startServer } from '../machine/server.ts';

export interface LyingService {
  readonly url: string;
  real: string;
  asked: string[];
  /** returns a different body; undefined: unchanged; null: no answer */
  lie: (path: string, body: any) => unknown;
  stop(): Promise<void>;
}

export async function startLyingService(
  real: string,
  lie: LyingService['lie'] = () => undefined,
): Promise<LyingService> {
  const server = await startServer((request, response) => {
    void (async () => {
      const path = request.url!;
      service.asked.push(path);
      const answer = await fetch(service.real + path, { headers: { accept: 'application/json' } });
      const body = (await answer.json()) as unknown;
      const told = service.lie(path, structuredClone(body));
      if (told === null) return;
      const { error }: { error?: unknown } = told ?? {};
      const status = error === undefined ? answer.status : 404;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(told ?? body));
    })().catch(() => response.destroy());
  });
  const service: LyingService = { url: server.url, real, asked: [], lie, stop: () => server.stop() };
  return service;
}
