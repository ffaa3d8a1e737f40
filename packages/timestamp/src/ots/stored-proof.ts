import { readOts, writeOts } from './file.ts';
import { attestationsOf, keepOnly } from './proof.ts';
import type { Timestamp } from './proof.ts';

/** True while a calendar owes a Bitcoin block. */
export const isPending = (proof: Timestamp): boolean =>
  attestationsOf(proof).some(({ attestation }) => attestation.kind === 'pending');

/**
 * Without the promises of calendars once a Bitcoin block contains the data, as evidence has it.
 * @throws {TimestampError} `malformed`
 */
export function finished(bytes: Uint8Array): Uint8Array {
  const blocks = keepOnly(readOts(bytes), ({ kind }) => kind === 'bitcoin');
  return blocks === undefined ? bytes : writeOts(blocks);
}
