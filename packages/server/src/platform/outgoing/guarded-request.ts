import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { TestHosts } from '../../settings/config.ts';
import { lookupPublic, NotPublic } from './public-address.ts';

export interface GuardedOptions {
  testHosts: TestHosts;
  ca?: string;
  timeoutMs?: number;
}

export interface GuardedRequest {
  method: 'GET' | 'POST';
  host: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  wantsText: (status: number) => boolean;
}

export interface GuardedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export class GuardRefused extends Error {
  override name = 'GuardRefused';
}

const MOST_BYTES = 64 * 1024;

/**
 * Requests a host that a user named: only at its checked public address, without redirects, bounded in time and
 * size.
 */
export function guardedRequest(
  { method, host, path, headers, body, wantsText }: GuardedRequest,
  { testHosts, ca, timeoutMs = 10_000 }: GuardedOptions,
): Promise<GuardedAnswer> {
  const test = testHosts.get(host);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request(
      {
        method,
        host: test?.address ?? host,
        port: test?.port ?? 443,
        servername: host,
        path,
        headers: {
          host,
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        agent: false,
        signal,
        ...(ca === undefined ? {} : { ca }),
        ...(test ? {} : { lookup: lookupPublic }),
      },
      (answer) => {
        const status = answer.statusCode ?? 0;
        const wanted = wantsText(status);
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (wanted) chunks.push(chunk);
          if (size <= MOST_BYTES) return;
          sent.destroy();
          reject(new GuardRefused('is larger than 64 KB'));
        });
        answer.on('error', () => reject(new GuardRefused(reasonOf(signal))));
        const done = (): void =>
          resolve({ status, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') });
        if (wanted) answer.on('end', done);
        else done();
      },
    );
    sent.on('error', (error) => reject(new GuardRefused(reasonOf(signal, error))));
    sent.end(body);
  });
}

function reasonOf(signal: AbortSignal, error?: NodeJS.ErrnoException): string {
  if (signal.aborted) return 'did not answer in time';
  if (error instanceof NotPublic) return 'has no public address';
  const code = error?.code ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'cannot be found by name';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code))
    return 'does not have a valid certificate';
  return 'cannot be reached';
}
