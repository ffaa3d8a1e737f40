import { type Fetched, fetched, inTime, proxiesInUse } from './bounded-fetch.ts';
import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { isPublicAddress } from '@svc/timestamp/public-address';
import { EndpointFault } from '@svc/verifier';
import { isLoopback } from './loopback.ts';

export class NotPublic extends Error {
  override name = 'NotPublic';
  constructor() {
    super('leads to an address that is not public, which svc does not read for a service on another machine');
  }
}

/** Connects only to the checked addresses, because a name's addresses may change. */
const lookupPublic: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(new NotPublic(), []);
    const [{ address, family }] = addresses as [LookupAddress];
    return options.all === true ? callback(null, addresses) : callback(null, address, family);
  });

/** @throws NotPublic, or without an answer in time */
export const readNamed = (
  url: string,
  service: string,
  { most, patienceMs, headers = {} }: { most: number; patienceMs: number; headers?: Record<string, string> },
): Promise<Fetched> =>
  inTime(patienceMs, async (signal) => fetched(await fetchNamed(url, service, { signal, headers }), most));

/**
 * An author must not lead a reader's machine to hosts of the reader's network. A service on this machine is a trial,
 * and may name them. A proxy looks up names itself. Follows no redirect.
 * @param service null: the reader named no service
 */
export async function fetchNamed(
  url: string,
  service: string | null,
  init: Pick<RequestInit, 'signal' | 'headers' | 'method' | 'body'>,
): Promise<Response> {
  if (service !== null && isLoopback(service)) return fetch(url, { ...init, redirect: 'manual' });
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  if (isLoopback(url) || (isIP(host) !== 0 && !isPublicAddress(host))) throw new NotPublic();
  if (proxiesInUse().length > 0) return fetch(url, { ...init, redirect: 'manual' });
  // CommonJS: a bundler has only its default export.
  const { default: undici } = await import('undici');
  agent ??= new undici.Agent({ connect: { lookup: lookupPublic } });
  try {
    return await undici.fetch(url, {
      ...(init as object),
      redirect: 'manual',
      dispatcher: agent,
    });
  } catch (error) {
    const { cause } = error as Error;
    throw cause instanceof NotPublic ? cause : error;
  }
}

let agent: Agent | undefined;

const MOST_REDIRECTS = 5;

/**
 * Reads the origin of the service that the reader named directly, and every other host by `fetchNamed`, also after a
 * redirect.
 * @param service null: the reader named no service
 */
export function guardedFetch(service: string | null): typeof globalThis.fetch {
  const named = service === null ? null : new URL(service).origin;
  const ask = (url: string, init: RequestInit) =>
    new URL(url).origin === named
      ? fetch(url, { ...init, redirect: 'manual' })
      : fetchNamed(url, service, init);
  return async (input, init = {}) => {
    const { redirect = 'follow' } = init;
    let url = input instanceof Request ? input.url : String(input);
    for (let redirects = 0; ; redirects++) {
      const response = await ask(url, init);
      const { status, headers, body } = response;
      const target = status >= 300 && status < 400 ? headers.get('location') : null;
      if (target === null || redirect === 'manual') return response;
      await body?.cancel();
      if (redirect === 'error' || redirects === MOST_REDIRECTS) throw new TypeError(`${url} redirects`);
      url = new URL(target, url).href;
    }
  };
}

/** `guardedFetch` for an endpoint of the chain; a verdict names the reason. */
export function guardedEndpoint(service: string | null): typeof globalThis.fetch {
  const ask = guardedFetch(service);
  return async (...request) => {
    try {
      return await ask(...request);
    } catch (error) {
      throw error instanceof NotPublic ? new EndpointFault(error.message) : error;
    }
  };
}
