// Random bytes, drawn in advance.
import { randomFillSync } from 'node:crypto';

/** A thousand bytes take as long as one. */
const DRAWN_AT_ONCE = 2_048;

let pool = Buffer.alloc(0);

/** For salts and nonces. The Buffer shares its memory: pass on its bytes, never its `buffer`. */
export function drawRandom(bytes: number): Buffer {
  if (bytes > DRAWN_AT_ONCE) throw new RangeError(`at most ${DRAWN_AT_ONCE} random bytes at once`);
  if (bytes > pool.length) pool = randomFillSync(Buffer.alloc(DRAWN_AT_ONCE));
  const drawn = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return drawn;
}
