/**
 * One form of an issuer's name for all ways to write it: scheme and host in lower case, no default port, no slash at the
 * end. What is no url stays as it is.
 */
export function issuerKey(name: string): string {
  return (URL.canParse(name) ? new URL(name).href : name).replace(/\/+$/, '');
}
