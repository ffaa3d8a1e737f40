const LOWER_HEX = /^[0-9a-f]*$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/**
 * Lower-case hex without `0x`.
 * @example
 * bytesToHex(Uint8Array.of(0, 171, 255)); // '00abff'
 */
export function bytesToHex(bytes: Uint8Array): string {
  let hex = '';
  for (let i = 0; i < bytes.length; i++) hex += DIGITS[bytes[i]!]!;
  return hex;
}

/**
 * Accepts either case.
 * @throws {RangeError} on an odd number of digits or another character
 * @example
 * hexToBytes('00ABff'); // Uint8Array.of(0, 171, 255)
 */
export function hexToBytes(hex: string): Uint8Array {
  let value = typeof hex === 'string' && hex.length % 2 === 0 ? 0 : -1;
  const bytes = new Uint8Array(value < 0 ? 0 : hex.length / 2);
  for (let i = 0; i < bytes.length && value >= 0; i++)
    bytes[i] = value = (valueAt(hex, 2 * i) << 4) | valueAt(hex, 2 * i + 1);
  if (value < 0) throw new RangeError('not an even number of hex digits');
  return bytes;
}

/** Negative for other characters. */
function valueAt(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  const letter = (code | 32) - 87;
  return code < 58 ? code - 48 : letter > 9 && letter < 16 ? letter : -1;
}

/**
 * Lower case, without `0x` (docs/specification.md#formats).
 * @example
 * isHex('00abff', 3); // true
 * isHex('00ABFF', 3); // false
 */
export function isHex(value: unknown, bytes: number): value is string {
  return typeof value === 'string' && value.length === 2 * bytes && LOWER_HEX.test(value);
}

/**
 * In lower case.
 * @example
 * isUuid(receipt.etch_id); // true
 * isUuid(receipt.etch_id.toUpperCase()); // false
 */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/**
 * @throws {RangeError} when the text is not a uuid in lower case
 * @example
 * uuidToBytes(receipt.etch_id).length; // 16
 */
export function uuidToBytes(uuid: string): Uint8Array {
  if (!isUuid(uuid)) throw new RangeError('not a uuid in lower case');
  return hexToBytes(uuid.replaceAll('-', ''));
}
