import { Agent, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Json } from '../json.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly contentType: string | undefined;
  readonly text: string;
  /** undefined: not JSON */
  readonly body: Json;
}

export interface Call {
  body?: unknown;
  raw?: string | Uint8Array | undefined;
  key?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  /** without a byte (default 30,000) */
  timeoutMs?: number;
}

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
    { body, raw, key, headers = {}, timeoutMs = 30_000 }: Call = {},
  ): Promise<Reply> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const { hostname, port, pathname, search } = new URL(this.#url() + path);
      const sent = request({
        agent: this.#agent,
        hostname,
        port,
        method,
        path: pathname + search,
        timeout: timeoutMs,
        headers: {
          accept: '*/*',
          'accept-encoding': 'gzip',
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...headers,
        },
      });
      sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.once('error', reject);
      sent.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => resolve(replyOf(response, Buffer.concat(chunks))));
      });
      sent.end(payload);
    });
  }

  /** A stopping service waits for idle connections. */
  rest(): void {
    for (const sockets of Object.values(this.#agent.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }

  close(): void {
    this.#agent.destroy();
  }
}

const decoder = new TextDecoder();

function replyOf(response: IncomingMessage, bytes: Buffer): Reply {
  const isZipped = bytes.length > 0 && response.headers['content-encoding'] === 'gzip';
  const text = decoder.decode(isZipped ? gunzipSync(bytes) : bytes);
  const contentType = response.headers['content-type'];
  let headers: Headers | undefined;
  return {
    status: response.statusCode!,
    get headers() {
      return (headers ??= headersOf(response.rawHeaders));
    },
    contentType,
    text,
    body: contentType?.includes('json') && text !== '' ? parseJson(text) : undefined,
  };
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at]!, raw[at + 1]!);
  return headers;
}

let large: { text: string; value: unknown } | undefined;

function parseJson(text: string): unknown {
  if (text.length < 100_000) return JSON.parse(text);
  if (large?.text !== text) large = { text, value: JSON.parse(text) };
  return large.value;
}
