import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { afterEach, expect } from 'vitest';

const opened: ClientRequest[] = [];

export async function listen(baseUrl: string, path: string, headers: Record<string, string> = {}) {
  const request = get(baseUrl + path, { headers: { accept: 'text/event-stream', ...headers }, agent: false });
  opened.push(request);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  let text = '';
  const ended = new Promise((resolve) => response.once('close', resolve));
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  response.on('error', () => undefined);
  const states = (): string[] =>
    [...text.matchAll(/^event: state\ndata: (.*)$/gm)].map(([, data]) => {
      const message = JSON.parse(data!) as { state: string; now: string };
      expect(Object.keys(message)).toEqual(['state', 'now']);
      return message.state;
    });
  return {
    response,
    ended,
    text: () => text,
    close: () => void request.destroy(),
    until: async (count: number): Promise<string[]> => {
      while (states().length < count) await Promise.race([once(response, 'data'), ended.then(fail)]);
      return states();
    },
  };
}

const fail = (): never => {
  throw new Error('the stream ended');
};

export function endStreams(): void {
  afterEach(() => {
    for (const request of opened.splice(0)) request.destroy();
  });
}
