import { fromBase64 } from './base64.ts';
import { TimelockError } from './drand-chain.ts';

// Loads no cipher and no curve, so that every program can recognize a blind seal.

/** a point of the second group */
export const POINT_BYTES = 96;
/** a file key, and its mask */
export const KEY_BYTES = 16;
export const WRAPPED_BYTES = POINT_BYTES + 2 * KEY_BYTES;
/** the nonce before the content */
export const NONCE_BYTES = 16;
/** the tag after each chunk */
export const TAG_BYTES = 16;

export interface AgeFile {
  round: number;
  chainHash: string;
  wrapped: Uint8Array;
  /** input of its MAC */
  header: Uint8Array;
  mac: Uint8Array;
  /** nonce and chunks */
  payload: Uint8Array;
}

const HEADER =
  /^age-encryption\.org\/v1\n-> tlock ([1-9]\d{0,9}) ([0-9a-f]{64})\n([^\n]{64})\n([^\n]{64})\n([^\n]{43})\n--- ([^\n]{43})\n/;
const MOST_HEADER = 400;

/** @throws {TimelockError} unless the file has exactly one recipient of this kind */
export function readAge(bytes: Uint8Array): AgeFile {
  const start = String.fromCharCode(...bytes.slice(0, MOST_HEADER));
  const match = HEADER.exec(start);
  if (match === null) throw new TimelockError('it is not an age file that is encrypted to one round');
  const [whole, round, chainHash, first, second, third, code] = match as unknown as string[];
  const wrapped = fromBase64(`${first}${second}${third}`);
  const mac = fromBase64(code!);
  if (wrapped?.length !== WRAPPED_BYTES || mac === null)
    throw new TimelockError('its header is not base64 in its one spelling');
  const header = bytes.slice(0, whole!.lastIndexOf('---') + 3);
  return {
    round: Number(round),
    chainHash: chainHash!,
    wrapped,
    header,
    mac,
    payload: bytes.slice(whole!.length),
  };
}
