import ipaddr from 'ipaddr.js';

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** The rest of the address is an IPv4 address: NAT64 with the well-known prefix (RFC 6052), and IPv4-mapped. */
const OF_IPV4 = ['64:ff9b::/96', '::ffff:0:0/96'].map((range) => ipaddr.IPv6.parseCIDR(range));
const PREFIX_BYTES = 12;

/**
 * Not private, loopback, link-local, shared, multicast or reserved: a host that a stranger may name. The IPv4 address
 * in a NAT64 or mapped address decides, because the packets go there. Local NAT64 prefixes (64:ff9b:1::/48) and 6to4
 * are not public: the first belong to one network, the second has no relays.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast';
  if (OF_IPV4.some((range) => parsed.match(range)))
    return ipaddr.fromByteArray(parsed.toByteArray().slice(PREFIX_BYTES)).range() === 'unicast';
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_IPV6);
}
