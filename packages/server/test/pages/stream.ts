import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { afterEach, expect } from 'vitest';

const opened: ClientRequest[] = [];

export interface Stream {
  response: IncomingMessage;
  text: () => string;
  states: () => string[];
  until: (count: number) => Promise<string[]>;
  ended: Promise<unknown>;
  close: () => void;
}

export async function listen(
  baseUrl: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Stream> {
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
    text: () => text,
    states,
    async until(count) {
      while (states().length < count) await Promise.race([once(response, 'data'), ended.then(fail)]);
      return states();
    },
    ended,
    close: () => void request.destroy(),
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
