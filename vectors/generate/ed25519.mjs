// A minimal Ed25519 (RFC 8032), only for signatures that no honest signer makes.
import { createHash } from 'node:crypto';

const P = 2n ** 255n - 19n;
export const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (n, by = P) => ((n % by) + by) % by;
const power = (base, exponent) => {
  let result = 1n;
  for (; exponent > 0n; exponent >>= 1n, base = mod(base * base))
    if (exponent & 1n) result = mod(result * base);
  return result;
};
const D = mod(-121665n * power(121666n, P - 2n));

const add = ([x1, y1], [x2, y2]) => {
  const product = mod(D * x1 * x2 * y1 * y2);
  return [
    mod((x1 * y2 + x2 * y1) * power(1n + product, P - 2n)),
    mod((y1 * y2 + x1 * x2) * power(1n - product, P - 2n)),
  ];
};
export const times = (scalar, point) => {
  let result = [0n, 1n];
  for (; scalar > 0n; scalar >>= 1n, point = add(point, point)) if (scalar & 1n) result = add(result, point);
  return result;
};
export const plus = add;
export const minus = (a, [x, y]) => add(a, [mod(-x), y]);

export const littleEndian = (hex) => BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`);
export const toLittleEndian = (n) =>
  Buffer.from(n.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');

export const encode = ([x, y]) => toLittleEndian(y | ((x & 1n) << 255n));
export function decode(hex) {
  const all = littleEndian(hex);
  const [sign, y] = [all >> 255n, all & (2n ** 255n - 1n)];
  const [u, v] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  let x = mod(u * power(v, 3n) * power(u * power(v, 7n), (P - 5n) / 8n));
  if (mod(v * x * x) !== u) x = mod(x * power(2n, (P - 1n) / 4n));
  return [(x & 1n) === sign ? x : mod(-x), y];
}

export const BASE = decode('5866666666666666666666666666666666666666666666666666666666666666');

const sha512 = (...parts) => {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
export const challenge = (r, key, message) =>
  littleEndian(sha512(Buffer.from(r, 'hex'), Buffer.from(key, 'hex'), Buffer.from(message, 'utf8'))) % ORDER;
export const scalarOf = (name) => littleEndian(sha512(`vector scalar ${name}`)) % ORDER;
