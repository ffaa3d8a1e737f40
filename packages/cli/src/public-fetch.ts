import { type Fetched, fetched, inTime, proxiesInUse } from './bounded-fetch.ts';
import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '@svc/timestamp/public-address';
import { isLoopback } from './pins.ts';

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
 * An author must not lead a reader's machine to hosts of its own network. A service on this machine is a trial,
 * and may name them. A proxy looks up names itself.
 */
export async function fetchNamed(
  url: string,
  service: string,
  init: { signal: AbortSignal; headers?: Record<string, string> },
): Promise<Response> {
  if (isLoopback(service)) return fetch(url, { ...init, redirect: 'manual' });
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  if (isLoopback(url) || (isIP(host) !== 0 && !isPublicAddress(host))) throw new NotPublic();
  if (proxiesInUse().length > 0) return fetch(url, { ...init, redirect: 'manual' });
  // CommonJS: a bundler has only its default export.
  const { default: undici } = await import('undici');
  const dispatcher = new undici.Agent({ connect: { lookup: lookupPublic } });
  try {
    return await undici.fetch(url, { ...init, redirect: 'manual', dispatcher });
  } catch (error) {
    const { cause } = error as Error;
    throw cause instanceof NotPublic ? cause : error;
  }
}
