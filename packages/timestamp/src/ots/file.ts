import { hexToBytes } from '@svc/protocol';
import { isSame } from '../bytes.ts';
import { malformed } from '../timestamp-error.ts';
import { ByteReader } from './byte-reader.ts';
import { joined, SHA_256 } from './operation.ts';
import { DEEPEST, readTimestamp, writeTimestamp } from './proof.ts';
import type { Timestamp } from './proof.ts';

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
  return joined(MAGIC, Uint8Array.of(VERSION, SHA_256), timestamp.message, writeTimestamp(timestamp));
}
