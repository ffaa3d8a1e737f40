import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All of IPv6 that has been given out for the public internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Is this an address of the public internet? Private, loopback, CGNAT, mapped, 6to4, NAT64 and reserved ones are not. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

/** The name has no public address. */
export class NotPublic extends Error {
  override name = 'NotPublic';
}

/**
 * A lookup for one connection: what it checks is what is connected to, so a name that answers differently the next
 * time (rebinding) gains nothing. One address that is not public refuses the name.
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
