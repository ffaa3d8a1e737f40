import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '@svc/timestamp/public-address';
import { domainToASCII } from 'node:url';
import type { TestHosts } from '../../settings/config.ts';
import { badField } from '../failure.ts';

class NotPublic extends Error {
  override name = 'NotPublic';
}

/** Connects to the checked addresses, against DNS rebinding. Rejects a name if any address is not public. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(
    hostname,
    { all: true, family: options.family === 6 ? 6 : options.family === 4 ? 4 : 0 },
    (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new NotPublic(`${hostname} has no public address`), '', 0);
      }
      if (options.all)
        (callback as unknown as (error: null, addresses: LookupAddress[]) => void)(null, addresses);
      else callback(null, first.address, first.family);
    },
  );
};

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
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
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

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Rejects IP addresses in any notation, ports, users, paths and single labels. */
export function readDomain(text: string): string {
  const refuse = (): never => {
    throw badField('domain', 'must be a host name such as agents.example.org, without scheme, port or path');
  };
  if (/[\s:/@?#\\%[\]]/.test(text)) refuse();
  const domain = domainToASCII(text).toLowerCase();
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  // Resolvers read 127.1, 0x7f.0.0.1 and 2130706433 as addresses.
  const isAddress = /^(\d+|0x[0-9a-f]*)$/.test(last);
  if (domain.length > 253 || labels.length < 2 || isAddress || !labels.every((label) => LABEL.test(label)))
    refuse();
  return domain;
}
