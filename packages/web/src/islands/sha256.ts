/**
 * SHA-256 (FIPS 180-4) in little room: the island stands on it in place of the library that servers use, which weighs
 * five times as much. Tests hold the two against each other.
 */
const K = new Int32Array(64);
const START: number[] = [];
// The constants are the first 32 bits behind the point of the cube and square roots of the first primes (§4.2.2, §5.3.3).
const bits = (root: number): number => ((root % 1) * 2 ** 32) | 0;
for (let n = 2, found = 0; found < 64; n++) {
  let divisor = 2;
  while (n % divisor) divisor++;
  if (divisor < n) continue;
  START[found] = bits(Math.sqrt(n));
  K[found++] = bits(Math.cbrt(n));
}

export function sha256(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, data.length / 0x20000000);
  view.setUint32(padded.length - 4, data.length << 3);
  const state = Int32Array.from(START.slice(0, 8));
  const w = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      w[i] =
        i < 16
          ? view.getInt32(block + i * 4)
          : mix(w[i - 2]!, 17, 19, -10) + w[i - 7]! + mix(w[i - 15]!, 7, 18, -3) + w[i - 16]!;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let i = 0; i < 64; i++) {
      const first = (h + mix(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
      const second = (mix(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i]! += word));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(i * 4, word));
  return new Uint8Array(out.buffer);
}

/** Two rotations and a third one, or a shift where it is negative. */
const mix = (x: number, r: number, s: number, t: number): number =>
  turn(x, r) ^ turn(x, s) ^ (t < 0 ? x >>> -t : turn(x, t));
const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
