// Decides whether an address or host is loopback or public.
import ipaddr from 'ipaddr.js';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A wildcard becomes the loopback address. */
export function originOf(host: string, port: number): string {
  const name =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Private names by RFC 6761, 7686 and 8375, and by common use. */
const PRIVATE_NAME = /\.(?:localhost|local|internal|lan|test|onion|home\.arpa)$/;

export function isPublicHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$|\.$/g, '');
  if (ipaddr.isValid(bare)) return ipaddr.process(bare).range() === 'unicast';
  return bare.includes('.') && !PRIVATE_NAME.test(bare);
}
