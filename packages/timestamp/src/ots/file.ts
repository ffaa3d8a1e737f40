import { concatBytes } from '@noble/hashes/utils.js';
import { hexToBytes } from '@svc/protocol';
import { isSame } from '../bytes.ts';
import { malformed } from '../timestamp-error.ts';
import { ByteReader } from './byte-reader.ts';
import { SHA_256 } from './operation.ts';
import { attestationsOf, DEEPEST, keepOnly, readTimestamp, type Timestamp, writeTimestamp } from './proof.ts';

/** `\0OpenTimestamps\0\0Proof\0` and eight fixed bytes. */
const MAGIC = hexToBytes('004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294');
const VERSION = 1;
/** Real proofs have one to four kilobytes. */
const LONGEST_FILE = 65_536;

/**
 * Its message is the SHA-256 of the stamped data.
 * @throws {TimestampError} `malformed`
 */
export function readOts(bytes: Uint8Array, deepest: number = DEEPEST): Timestamp {
  if (bytes.length > LONGEST_FILE) throw malformed(`it is longer than ${LONGEST_FILE} bytes`);
  const reader = new ByteReader(bytes);
  if (!isSame(reader.take(MAGIC.length), MAGIC)) throw malformed('it is no OpenTimestamps file');
  const version = reader.varuint();
  if (version !== VERSION) throw malformed(`it has version ${version}; ${VERSION} is known`);
  if (reader.byte() !== SHA_256) throw malformed('it is not of a SHA-256');
  const timestamp = readTimestamp(reader, reader.take(32), deepest);
  reader.end();
  return timestamp;
}

export function writeOts(timestamp: Timestamp): Uint8Array<ArrayBuffer> {
  return concatBytes(MAGIC, Uint8Array.of(VERSION, SHA_256), timestamp.message, writeTimestamp(timestamp));
}

/** A calendar owes a Bitcoin block. */
export const isPending = (proof: Timestamp): boolean =>
  attestationsOf(proof).some(({ attestation }) => attestation.kind === 'pending');

/**
 * Evidence omits the promises of calendars after a Bitcoin block.
 * @throws {TimestampError} `malformed`
 */
export function withoutPendingCalendars(bytes: Uint8Array): Uint8Array {
  const blocks = keepOnly(readOts(bytes), ({ kind }) => kind === 'bitcoin');
  return blocks === undefined ? bytes : writeOts(blocks);
}
