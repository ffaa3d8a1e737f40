import { ATTESTATION_DATA_LENGTH } from '../attestation-data.ts';
import { IndexError } from './entries.ts';

const KIND = 2;
const VERSION = 1;

/** The content of an index entry of the log. */
export interface IndexData {
  /** root hash of the map */
  root: Uint8Array;
  /** The map covers the trees of version 2 with a smaller log index. */
  covered: number;
}

/**
 * The 128 bytes of an index entry.
 * @example
 * encodeIndexData({ root: new Uint8Array(32), covered: 41 }).length; // 128
 */
export function encodeIndexData({ root, covered }: IndexData): Uint8Array {
  if (!Number.isInteger(covered) || covered < 0 || covered > 0xff_ff_ff_ff)
    throw new IndexError('an index covers at most 4,294,967,295 entries of the log');
  const bytes = new Uint8Array(ATTESTATION_DATA_LENGTH);
  bytes.set(root, 0);
  bytes[63] = KIND;
  bytes[95] = VERSION;
  new DataView(bytes.buffer).setUint32(124, covered);
  return bytes;
}

/**
 * Null for an entry of the log that is no index entry.
 * @example
 * readIndexData(encodeIndexData({ root: new Uint8Array(32), covered: 41 }))?.covered; // 41
 */
export function readIndexData(bytes: Uint8Array): IndexData | null {
  const isZero = (from: number, to: number) => bytes.subarray(from, to).every((byte) => byte === 0);
  const fits =
    bytes.length === ATTESTATION_DATA_LENGTH &&
    bytes[63] === KIND &&
    bytes[95] === VERSION &&
    isZero(32, 63) &&
    isZero(64, 95) &&
    isZero(96, 124);
  if (!fits) return null;
  const covered = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(124);
  return { root: bytes.slice(0, 32), covered };
}
