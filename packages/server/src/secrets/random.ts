import { randomFillSync } from 'node:crypto';

/** The generator takes as long for a thousand bytes as for one, so dozens of salts and nonces are drawn at once. */
const DRAWN_AT_ONCE = 2_048;

let pool = Buffer.alloc(0);

/**
 * Random bytes of the system for a salt or nonce; no byte is used twice. The returned Buffer shares its memory with
 * other draws, so pass on its bytes, never its `buffer`.
 */
export function drawRandom(bytes: number): Buffer {
  if (bytes > DRAWN_AT_ONCE) throw new RangeError(`at most ${DRAWN_AT_ONCE} random bytes at once`);
  if (bytes > pool.length) pool = randomFillSync(Buffer.alloc(DRAWN_AT_ONCE));
  const drawn = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return drawn;
}
