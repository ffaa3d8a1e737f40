import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Not private, loopback, CGNAT, mapped, 6to4, NAT64 or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

export class NotPublic extends Error {
  override name = 'NotPublic';
}

/** Connects to the checked addresses, against DNS rebinding. Rejects a name if any address is not public. */
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
