import { Agent, request } from 'node:http';
import type { Json } from '../json.ts';

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  body: Json;
}

export interface Call {
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

/** HTTP over kept-alive connections. @throws Error when no answer came: the outcome is unknown */
export class Client {
  readonly #agent: Agent;
  readonly #url: () => string;
  constructor(url: string | (() => string), agent = new Agent({ keepAlive: true, maxSockets: 256 })) {
    this.#agent = agent;
    this.#url = typeof url === 'string' ? () => url : url;
  }

  call(
    method: string,
    path: string,
    { body, key, headers = {}, timeoutMs = 30_000 }: Call = {},
  ): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        this.#url() + path,
        {
          method,
          agent: this.#agent,
          timeout: timeoutMs,
          headers: {
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const answer = Buffer.concat(chunks).toString();
            const isJson = String(response.headers['content-type']).includes('json');
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              text: answer,
              body: isJson ? JSON.parse(answer) : undefined,
            });
          });
        },
      );
      sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.once('error', reject);
      sent.end(text);
    });
  }

  /** Closes what is open and idle: a service that stops waits for such a connection to say something. */
  rest(): void {
    for (const sockets of Object.values(this.#agent.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }

  close(): void {
    this.#agent.destroy();
  }
}
