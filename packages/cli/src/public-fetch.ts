import { type Fetched, fetched, inTime, proxiesInUse } from './bounded-fetch.ts';
import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback } from './pins.ts';

/**
 * Addresses that are not public: private, loopback, link-local, shared, multicast, reserved, and IPv4 inside IPv6.
 */
const CLOSED_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3';
const CLOSED_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

function addRanges(list: BlockList, ranges: string, family: 'ipv4' | 'ipv6'): BlockList {
  for (const range of ranges.split(' ')) {
    const [net, bits] = range.split('/');
    list.addSubnet(net!, Number(bits), family);
  }
  return list;
}
const CLOSED = addRanges(addRanges(new BlockList(), CLOSED_IPV4, 'ipv4'), CLOSED_IPV6, 'ipv6');
const GLOBAL_IPV6 = addRanges(new BlockList(), '2000::/3', 'ipv6');

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !CLOSED.check(address, 'ipv4');
  return family === 6 && GLOBAL_IPV6.check(address, 'ipv6') && !CLOSED.check(address, 'ipv6');
}

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
