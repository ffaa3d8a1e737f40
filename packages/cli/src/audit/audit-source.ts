import type { Client } from '@svc/sdk';

/** What an audit reads of a service, or of an archive of one. */
export type AuditSource = Pick<Client, 'origin' | 'record' | 'treeLeaves' | 'findEtch'>;

/** Patience with a service that counts requests by the minute. */
export const AUDIT_RETRY = { attempts: 40, maxWaitMs: 1_800_000 };

/**
 * On one machine answers are asked for as they are: making them smaller, and large again, takes longer than to send them. Undefined
 * elsewhere: then the platform asks for what it can read.
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
