import { encodeAttestationData } from '@svc/protocol';
import type { Stamped, TrustedCertificates } from '@svc/timestamp';
import { toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { type DueBatch, keepWitness, keepWitnessReason, takeDueBatches } from './store.ts';

/** Time-stamping authorities, and whose certificates of theirs count. */
interface Authorities {
  /** asked in order */
  urls: readonly string[];
  /** PEM */
  certificates: string;
}

export interface TimestamperOptions {
  db: Db;
  now: () => number;
  authorities: Authorities;
  log: { warn(fields: object, message: string): void };
  timeoutMs?: number;
}

export const TIMESTAMPS = 'rfc3161';

/** So many trees in one run, one after the other; the scheduler comes again soon, and public authorities ask for patience. */
const AT_ONCE = 4;
const PATIENCE_MS = 10_000;

/**
 * Has each final tree stamped, once, by the first authority whose answer holds (docs/decisions/0019-a-second-clock.md). What does not
 * hold is not kept; what cannot be had is asked for again later, and delays nothing.
 */
export function createTimestamper(options: TimestamperOptions): () => Promise<void> {
  const { db, now } = options;
  return async () => {
    for (const due of await takeDueBatches(db, TIMESTAMPS, toTime(now()), AT_ONCE))
      if (!(await stamp(due, options))) return;
  };
}

/** @returns false when no authority stamped it, so that the others need not be tried either */
async function stamp(due: DueBatch, options: TimestamperOptions): Promise<boolean> {
  const { db, now, authorities, log } = options;
  // Certificates take half a megabyte of code, which only who has set it up loads.
  const { askAuthority, readCertificates, TimestampError } = await import('@svc/timestamp');
  const trusted: TrustedCertificates = readCertificates(authorities.certificates);
  const data = encodeAttestationData(due);
  let wait = '';
  for (const url of authorities.urls) {
    let stamped: Stamped;
    try {
      stamped = await askAuthority(url, data, { trusted, now, timeoutMs: options.timeoutMs ?? PATIENCE_MS });
    } catch (error) {
      if (!(error instanceof TimestampError)) throw error;
      wait = error.message;
      log.warn(
        { authority: new URL(url).host, fault: error.fault, reason: wait, batch: due.batchId },
        `time stamps: TSA_URLS: an authority's answer is not kept${due.old ? ', and it is not asked for this tree any more' : ''}`,
      );
      continue;
    }
    const { token, timestamp } = stamped;
    await keepWitness(db, TIMESTAMPS, due.batchId, { proof: token, time: toTime(timestamp.time) });
    return true;
  }
  await keepWitnessReason(db, TIMESTAMPS, due, { now: toTime(now()), wait });
  return false;
}
