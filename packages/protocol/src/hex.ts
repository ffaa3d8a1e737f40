const LOWER_HEX = /^[0-9a-f]*$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/**
 * Bytes as lower-case hex without `0x`.
 * @example
 * bytesToHex(Uint8Array.of(0, 171, 255)); // '00abff'
 */
export function bytesToHex(bytes: Uint8Array): string {
  let hex = '';
  for (let i = 0; i < bytes.length; i++) hex += DIGITS[bytes[i]!]!;
  return hex;
}

/** The value of each ASCII digit of hex, and -1 of everything else. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = String.fromCharCode(code);
  return /[0-9a-f]/i.test(digit) ? Number.parseInt(digit, 16) : -1;
});

/**
 * Hex of either case, without `0x`, as bytes. Each digit is looked at: a lenient decoder would silently stop at the
 * first bad one.
 * @throws {RangeError} on an odd number of digits or anything but hex digits
 * @example
 * hexToBytes('00ABff'); // Uint8Array.of(0, 171, 255)
 */
export function hexToBytes(hex: string): Uint8Array {
  if (typeof hex !== 'string' || hex.length % 2 !== 0) throw notHex();
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = valueAt(hex, 2 * i) * 16 + valueAt(hex, 2 * i + 1);
  }
  return bytes;
}

function valueAt(hex: string, at: number): number {
  const value = VALUES[hex.charCodeAt(at)] ?? -1;
  if (value < 0) throw notHex();
  return value;
}

const notHex = () => new RangeError('not an even number of hex digits');

/**
 * Is `value` a string of exactly `bytes` bytes in lower-case hex without `0x`
 * (docs/specification.md#formats)?
 * @example
 * isHex('00abff', 3); // true
 * isHex('00ABFF', 3); // false
 * isHex('0x00abff', 3); // false
 */
export function isHex(value: unknown, bytes: number): value is string {
  return typeof value === 'string' && value.length === 2 * bytes && LOWER_HEX.test(value);
}

/**
 * Is `value` a uuid in its canonical, lower-case form?
 * @example
 * isUuid('ae00cff5-55bb-4bd1-ab78-d6c62dc80658'); // true
 * isUuid('AE00CFF5-55BB-4BD1-AB78-D6C62DC80658'); // false
 */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/**
 * A lower-case uuid as its 16 raw bytes, as it enters a leaf of tree version 2
 * (docs/specification.md#merkle-rules).
 * @throws {RangeError} when it is not a uuid
 * @example
 * uuidToBytes('ae00cff5-55bb-4bd1-ab78-d6c62dc80658').length; // 16
 */
export function uuidToBytes(uuid: string): Uint8Array {
  if (!isUuid(uuid)) throw new RangeError('not a uuid in lower case');
  return hexToBytes(uuid.replaceAll('-', ''));
}
