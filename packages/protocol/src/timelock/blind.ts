import { utf8ToBytes } from '@noble/hashes/utils.js';
import { isWellFormedText, textOfBytes } from '../text.ts';
import { type DrandChain, isRound, roundTime, TimelockError } from './drand-chain.ts';

export const MOST_BLIND_BYTES = 1_000;
/** Every text is padded to this length, so that the size reveals nothing. */
export const PADDED_BYTES = MOST_BLIND_BYTES + 2;

/**
 * Two bytes with the length (big-endian), the UTF-8, and zeros up to 1,002 bytes.
 * @throws {TimelockError} when the text is too long, empty or malformed
 * @example
 * padBlind('It will rain.').length; // 1002
 */
export function padBlind(text: string): Uint8Array {
  const bytes = utf8ToBytes(text);
  if (bytes.length > MOST_BLIND_BYTES)
    throw new TimelockError(
      `a blind seal holds at most ${MOST_BLIND_BYTES} bytes of UTF-8, this has ${bytes.length}`,
    );
  if (!isBlindText(text))
    throw new TimelockError('a text is not empty, and holds no NUL and no half of a surrogate pair');
  const padded = new Uint8Array(PADDED_BYTES);
  padded.set([bytes.length >> 8, bytes.length & 0xff]);
  padded.set(bytes, 2);
  return padded;
}

/**
 * The inverse of `padBlind`.
 * @throws {TimelockError} for bytes that `padBlind` does not write
 * @example
 * unpadBlind(padBlind('It will rain.')); // 'It will rain.'
 */
export function unpadBlind(padded: Uint8Array): string {
  const length = padded.length === PADDED_BYTES ? (padded[0]! << 8) | padded[1]! : PADDED_BYTES;
  const isPadded = length <= MOST_BLIND_BYTES && padded.subarray(2 + length).every((byte) => byte === 0);
  if (!isPadded) throw new TimelockError('it opens to something that is no text of a blind seal');
  const text = textOfBytes(padded.subarray(2, 2 + length));
  if (text === null || !isBlindText(text)) throw new TimelockError('it opens to bytes that are no text');
  return text;
}

const isBlindText = (text: string): boolean => text.trim() !== '' && isWellFormedText(text);

/**
 * The chain is pinned, and the round was in the future.
 * @param createdAt milliseconds since 1970
 * @example
 * isBlindSeal({ chainHash: QUICKNET.hash, round: 2 }, QUICKNET, Date.parse('2026-01-01')); // false
 */
export const isBlindSeal = (
  { chainHash, round }: { chainHash: string; round: number },
  chain: DrandChain,
  createdAt: number,
): boolean => chainHash === chain.hash && isRound(round) && roundTime(chain, round) > createdAt;
