import { encodeAttestationData } from '@svc/protocol';
import type { Stamped, TrustedCertificates } from '@svc/timestamp';
import { OTS, TSA } from '@svc/verifier/evidence';
import { toTime } from '../../db/clock.ts';
import { type DueBatch, keepWitness, keepWitnessReason, type ProofWork, takeDueBatches } from './store.ts';
import type { Config } from '../../settings/config.ts';

export interface TimestamperOptions extends ProofWork {
  authorities: { urls: readonly string[]; certificates: string };
  timeoutMs?: number;
}

/** Few, and one after the other, to spare public authorities. */
const AT_ONCE = 4;
const PATIENCE_MS = 10_000;

/** The first valid answer counts (docs/decisions/0019-time-stamping-authorities.md). A failure is retried later. */
export function createTimestamper(options: TimestamperOptions): () => Promise<void> {
  const { db, now } = options;
  return async () => {
    for (const due of await takeDueBatches(db, TSA.witness, toTime(now()), AT_ONCE))
      if (!(await stamp(due, options))) return;
  };
}

async function stamp(due: DueBatch, options: TimestamperOptions): Promise<boolean> {
  const { db, now, authorities, log } = options;
  // This loads half a megabyte of code that few services need.
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
        `time stamps: TSA_URLS: an authority gave no valid stamp${due.old ? ', and this tree is not retried' : ''}`,
      );
      continue;
    }
    const { token, timestamp } = stamped;
    await keepWitness(db, TSA.witness, due.batchId, { proof: token, time: toTime(timestamp.time) });
    return true;
  }
  await keepWitnessReason(db, TSA.witness, due, { now: toTime(now()), wait });
  return false;
}

export const witnessKinds = ({ tsaCertificates, otsCalendars }: Config): string[] => [
  ...(tsaCertificates === undefined ? [] : [TSA.witness]),
  ...(otsCalendars === undefined ? [] : [OTS.witness]),
];
