import { checkTimestamps, readCertificates, type TimestampCheck } from '@svc/timestamp';
import type { Evidence } from '@svc/verifier/evidence';

/** Loaded on demand: five times the size of the other checks. */
export async function checkStamps(file: Evidence, pem: string): Promise<TimestampCheck> {
  if (!('subtle' in crypto))
    throw new Error('Your browser checks time stamps only on an https page: leave the certificates out.');
  return checkTimestamps(file, readCertificates(pem), Date.now());
}
