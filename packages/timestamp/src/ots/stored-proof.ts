import { readOts, writeOts } from './file.ts';
import { attestationsOf, keepOnly } from './proof.ts';
import type { Timestamp } from './proof.ts';

/** Does a calendar still owe a Bitcoin block? */
export const isPending = (proof: Timestamp): boolean =>
  attestationsOf(proof).some(({ attestation }) => attestation.kind === 'pending');

/**
 * The proof as evidence has it: once a Bitcoin block has the data, the promises of calendars are left out.
 * @throws {TimestampError} `malformed`
 */
export function finished(bytes: Uint8Array): Uint8Array {
  const blocks = keepOnly(readOts(bytes), ({ kind }) => kind === 'bitcoin');
  return blocks === undefined ? bytes : writeOts(blocks);
}
