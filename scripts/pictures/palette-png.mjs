import { deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 16;

/** @param colours one number a pixel, row by row */
export function palettePng({ width, height, colours }) {
  const palette = choosePalette(colours);
  const nearest = new Map();
  const rows = Buffer.alloc((1 + Math.ceil(width / 2)) * height);
  for (let y = 0, at = 0; y < height; y++) {
    at++;
    for (let x = 0; x < width; x++) {
      const colour = colours[y * width + x];
      let index = nearest.get(colour);
      if (index === undefined) nearest.set(colour, (index = nearestOf(palette, colour)));
      rows[at] |= x % 2 === 0 ? index << 4 : index;
      if (x % 2 === 1 || x === width - 1) at++;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 4;
  head[9] = 3;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => parts(colour)))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
const distance = (one, other) => {
  const [a, b] = [parts(one), parts(other)];
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
};

function nearestOf(palette, colour) {
  let best = 0;
  for (let index = 1; index < palette.length; index++)
    if (distance(palette[index], colour) < distance(palette[best], colour)) best = index;
  return best;
}

function choosePalette(pixels) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const colours = [...counts].sort(([a, many], [b, more]) => more - many || a - b);
  const palette = [colours[0][0]];
  const far = colours.map(([colour]) => distance(colour, palette[0]));
  while (palette.length < COLOURS) {
    let best = 0;
    let most = 0;
    for (let index = 0; index < colours.length; index++) {
      const weight = Math.sqrt(colours[index][1]) * far[index];
      if (weight > most) [best, most] = [index, weight];
    }
    if (most === 0) break;
    const [chosen] = colours[best];
    palette.push(chosen);
    for (let index = 0; index < colours.length; index++)
      far[index] = Math.min(far[index], distance(colours[index][0], chosen));
  }
  return palette;
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(8);
  framed.writeUInt32BE(data.length, 0);
  framed.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([framed.subarray(0, 4), named, framed.subarray(4)]);
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
