import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether this is a public internet address. Private, loopback, CGNAT, mapped, 6to4, NAT64 and reserved addresses are not. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

export class NotPublic extends Error {
  override name = 'NotPublic';
}

/**
 * A lookup for one connection: the checked addresses are the ones connected to, so DNS rebinding has no effect. The
 * name is rejected if any of its addresses is not public.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
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
