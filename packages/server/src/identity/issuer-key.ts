export function issuerKey(name: string): string {
  return (URL.canParse(name) ? new URL(name).href : name).replace(/\/+$/, '');
}
