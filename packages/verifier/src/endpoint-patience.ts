import type { EndpointFault } from './json-rpc.ts';

/** `busy`: a later request may succeed. `refused`: a different request may succeed. */
export function kindOf({ kind, response }: EndpointFault): EndpointFault['kind'] {
  return response !== null && (response.status === 429 || response.status >= 500) ? 'busy' : kind;
}

/** `Retry-After` in milliseconds. */
export function pauseOf({ response }: EndpointFault): number | null {
  const seconds = response?.headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}
