/** Scheme and host in lower case, no default port, no slash at the end. A name that is no URL only loses the slash. */
export function issuerKey(name: string): string {
  return (URL.canParse(name) ? new URL(name).href : name).replace(/\/+$/, '');
}
