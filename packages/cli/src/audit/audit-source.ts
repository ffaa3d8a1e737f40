import type { Client } from '@svc/sdk';

/** What an audit reads of a service, or of an archive of one. */
export type AuditSource = Pick<Client, 'origin' | 'record' | 'batch' | 'findEtch'>;

/** Patience with a service that counts requests by the minute. */
export const AUDIT_RETRY = { attempts: 40, maxWaitMs: 1_800_000 };
