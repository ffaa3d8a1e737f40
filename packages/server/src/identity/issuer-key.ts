/** Lowers scheme and host, and drops a default port and final slashes. */
export function issuerKey(name: string): string {
  return (URL.canParse(name) ? new URL(name).href : name).replace(/\/+$/, '');
}
