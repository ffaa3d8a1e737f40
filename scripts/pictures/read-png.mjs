import { inflateSync } from 'node:zlib';

/** Reads eight bits a channel, not interlaced. Returns 0xrrggbb for each pixel. */
export function readPng(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[png[25]];
  if (png[24] !== 8 || channels === undefined || png[28] !== 0) throw new Error('not a PNG of a browser');
  const packed = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const bytes = inflateSync(Buffer.concat(packed));
  const stride = width * channels;
  const colours = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1);
    const row = unfiltered(bytes[from], bytes.subarray(from + 1, from + 1 + stride), above, channels);
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = row.subarray(x * channels, x * channels + 3);
      colours[y * width + x] = (red << 16) | (green << 8) | blue;
    }
    above = row;
  }
  return { width, height, colours };
}

function unfiltered(filter, given, above, channels) {
  const row = new Uint8Array(given.length);
  for (let at = 0; at < given.length; at++) {
    const left = at < channels ? 0 : row[at - channels];
    const corner = at < channels ? 0 : above[at - channels];
    row[at] =
      given[at] + [0, left, above[at], (left + above[at]) >> 1, paeth(left, above[at], corner)][filter];
  }
  return row;
}

function paeth(left, above, corner) {
  const [a, b, c] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
