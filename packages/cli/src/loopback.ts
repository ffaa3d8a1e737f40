/** A service on this machine is a trial, whose chain is often recreated. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    /^127(?:\.\d+){3}$|^\[::1\]$/.test(hostname)
  );
}
