import { createHash } from 'node:crypto';
import { encodeAttestationData } from '@svc/protocol';
import {
  completeProof,
  isPending,
  mergeInto,
  readOts,
  stampDigest,
  type Timestamp,
  TimestampError,
  writeOts,
} from '@svc/timestamp/ots';
import { OTS } from '@svc/verifier/evidence';
import { toTime } from '../../db/clock.ts';
import { type DueBatch, keepOtsProof, keepWitnessReason, type ProofWork, takeDueBatches } from './store.ts';

export interface OtsOptions extends ProofWork {
  calendars: readonly string[];
  timeoutMs?: number;
}

const AT_ONCE = 4;
const PATIENCE_MS = 10_000;

/**
 * Sends the SHA-256 of each final tree's data to all calendars and stores their promises. The rest follows hours
 * later (docs/operating/proofs.md#opentimestamps). A failing calendar delays no other.
 */
export function createOtsStamper(options: OtsOptions): () => Promise<void> {
  const { db, now } = options;
  return async () => {
    const failures: unknown[] = [];
    for (const due of await takeDueBatches(db, OTS.witness, toTime(now()), AT_ONCE))
      try {
        await (due.proof === null ? stamp(due, options) : complete(due, due.proof, options));
      } catch (error) {
        // The other trees continue. This one is due again when its claim ends.
        failures.push(error);
      }
    if (failures.length > 0) throw new AggregateError(failures, 'OpenTimestamps: a tree failed');
  };
}

async function stamp(due: DueBatch, options: OtsOptions): Promise<void> {
  const digest = createHash('sha256').update(encodeAttestationData(due)).digest();
  const answers = await Promise.all(
    options.calendars.map((calendar) => promiseOf(calendar, digest, due, options)),
  );
  const [first, ...others] = answers.filter((one) => one !== undefined);
  const now = toTime(options.now());
  if (first === undefined)
    return keepWitnessReason(options.db, OTS.witness, due, { now, wait: 'no calendar gave a valid answer' });
  for (const other of others) mergeInto(first, other);
  await keepOtsProof(options.db, { ...due, tries: 0 }, { now, proof: readable(first), wait: PENDING });
}

function readable(proof: Timestamp): Uint8Array {
  const bytes = writeOts(proof);
  readOts(bytes);
  return bytes;
}

const PENDING = 'no Bitcoin block has it yet';

async function promiseOf(calendar: string, digest: Uint8Array, due: DueBatch, options: OtsOptions) {
  try {
    return await stampDigest(calendar, digest, { timeoutMs: options.timeoutMs ?? PATIENCE_MS });
  } catch (error) {
    if (!(error instanceof TimestampError)) throw error;
    warn(calendar, error, due, options);
    return undefined;
  }
}

async function complete(due: DueBatch, stored: Buffer, options: OtsOptions): Promise<void> {
  let proof: Timestamp;
  try {
    proof = readOts(stored);
  } catch (error) {
    if (!(error instanceof TimestampError)) throw error;
    const { fault, message: reason } = error;
    options.log.warn(
      { fault, reason, batch: due.batchId },
      'OpenTimestamps: the stored proof cannot be read: restore it from a backup',
    );
    const wait = 'the stored proof cannot be read';
    return keepOtsProof(options.db, due, { now: toTime(options.now()), proof: stored, wait });
  }
  const timeoutMs = options.timeoutMs ?? PATIENCE_MS;
  for (const { calendar, fault } of await completeProof(proof, options.calendars, { timeoutMs }))
    warn(calendar, fault, due, options);
  await keepOtsProof(options.db, due, {
    now: toTime(options.now()),
    proof: readable(proof),
    wait: isPending(proof) ? PENDING : null,
  });
}

function warn(
  calendar: string,
  { fault, message: reason }: TimestampError,
  due: DueBatch,
  { log }: OtsOptions,
): void {
  log.warn(
    { calendar: new URL(calendar).host, fault, reason, batch: due.batchId },
    `OpenTimestamps: OTS_CALENDARS: a calendar gave no valid answer${due.old ? ', and this tree is not retried' : ''}`,
  );
}
