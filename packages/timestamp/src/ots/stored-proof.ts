import { readOts, writeOts } from './file.ts';
import { attestationsOf, keepOnly } from './proof.ts';
import type { Timestamp } from './proof.ts';

/** A calendar owes a Bitcoin block. */
export const isPending = (proof: Timestamp): boolean =>
  attestationsOf(proof).some(({ attestation }) => attestation.kind === 'pending');

/**
 * Evidence omits the promises of calendars after a Bitcoin block.
 * @throws {TimestampError} `malformed`
 */
export function finished(bytes: Uint8Array): Uint8Array {
  const blocks = keepOnly(readOts(bytes), ({ kind }) => kind === 'bitcoin');
  return blocks === undefined ? bytes : writeOts(blocks);
}
