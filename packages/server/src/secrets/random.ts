import { randomFillSync } from 'node:crypto';

/** The generator takes as long for a thousand bytes as for one, so some dozens of salts and nonces are drawn at once. */
const DRAWN_AT_ONCE = 2_048;

let pool = Buffer.alloc(0);

/**
 * Bytes of the system's generator for one salt or nonce: none is given out twice. They share their memory with others that were drawn
 * with them, so what is handed on is the bytes, and never their `buffer`.
 */
export function drawRandom(bytes: number): Buffer {
  if (bytes > DRAWN_AT_ONCE) throw new RangeError(`at most ${DRAWN_AT_ONCE} random bytes at once`);
  if (bytes > pool.length) pool = randomFillSync(Buffer.alloc(DRAWN_AT_ONCE));
  const drawn = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return drawn;
}
