import { checkTimestamps, readCertificates, type TimestampCheck } from '@svc/timestamp';
import type { Evidence } from '@svc/verifier/evidence';

/** Loaded for evidence with time stamps once the reader entered certificates: it is five times the size of the other checks. */
export async function checkStamps(file: Evidence, pem: string): Promise<TimestampCheck> {
  // Browsers offer their cryptography on secure pages only.
  if (!('subtle' in crypto))
    throw new Error(
      'Time stamps can be checked on pages that come by https alone: leave the certificates out.',
    );
  return checkTimestamps(file, readCertificates(pem), Date.now());
}
