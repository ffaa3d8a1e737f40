import type { Client } from '@svc/sdk';

/** The methods of a service, or of its archive, that an audit calls. */
export type AuditSource = Pick<Client, 'origin' | 'record' | 'treeLeaves' | 'findEtch'>;

/** Retries for up to half an hour, because the service limits requests per minute. */
export const AUDIT_RETRY = { attempts: 40, maxWaitMs: 1_800_000 };

/**
 * For a service on this machine, a `fetch` that asks for uncompressed answers, because compression takes longer than sending. Undefined for
 * another service, where the platform's `fetch` applies.
 */
export function plainOnLoopback(origin: string): typeof fetch | undefined {
  const { hostname } = new URL(origin);
  if (!/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
  return (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('accept-encoding', 'identity');
    return fetch(url, { ...init, headers });
  };
}
