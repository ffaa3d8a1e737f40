/**
 * SHA-256 (FIPS 180-4) in little room: the island stands on it in place of the library that servers use, which weighs
 * five times as much. Tests hold the two against each other.
 */
const K = Int32Array.from(
  (
    '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc3' +
    '72be5d7480deb1fe9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da' +
    '983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13' +
    '650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070' +
    '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc70208' +
    '90befffaa4506cebbef9a3f7c67178f2'
  ).match(/.{8}/g)!,
  (word) => parseInt(word, 16),
);
const START = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

export function sha256(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, data.length / 0x20000000);
  view.setUint32(padded.length - 4, data.length << 3);
  const state = Int32Array.from(START);
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
