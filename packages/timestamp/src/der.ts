import { malformed } from './timestamp-error.ts';

const CONSTRUCTED = 0x20;
const INTEGER = 0x02;
const BOOLEAN = 0x01;
const BIT_STRING = 0x03;
const SEQUENCE = 0x30;
const SET = 0x31;
/** Other classes have no fixed type. */
const isUniversal = (tag: number): boolean => tag < 0x40;

/**
 * The ASN.1 reader also accepts other encodings, which were not signed.
 * @throws {TimestampError} unless the bytes are one value in canonical DER
 */
export function checkDer(bytes: Uint8Array): void {
  if (checkValue(bytes, 0, bytes.length, 0) !== bytes.length) throw malformed('something follows it');
}

/**
 * The reader ignores tags, and no signature covers these bytes.
 * @throws {TimestampError} unless they are a sequence of two integers
 */
export function checkCurveSignature(bytes: Uint8Array): void {
  checkDer(bytes);
  const { from, to } = extent(bytes, 1, bytes.length);
  let count = 0;
  for (let at = from; at < to; at = extent(bytes, at + 1, to).to, count++)
    if (bytes[at] !== INTEGER) throw malformed('its signature is not two numbers');
  if (bytes[0] !== SEQUENCE || count !== 2) throw malformed('its signature is not two numbers');
}

/** @returns the end of the value */
function checkValue(bytes: Uint8Array, at: number, limit: number, depth: number): number {
  const tag = bytes[at];
  if (tag === undefined || at >= limit || depth > 32 || (tag & 0x1f) === 0x1f || tag === 0)
    throw malformed('it is not in DER');
  const isConstructed = (tag & CONSTRUCTED) !== 0;
  if (isUniversal(tag) && isConstructed !== ((tag | CONSTRUCTED) === SEQUENCE || (tag | CONSTRUCTED) === SET))
    throw malformed('it is not in DER');
  const { from, to } = extent(bytes, at + 1, limit);
  if (!isConstructed) checkPrimitive(tag, bytes.subarray(from, to));
  else for (let next = from; next < to;) next = checkValue(bytes, next, to, depth + 1);
  return to;
}

function extent(bytes: Uint8Array, at: number, limit: number): { from: number; to: number } {
  const first = bytes[at] ?? 0xff;
  const size = first < 0x80 ? 0 : first - 0x80;
  let length = first;
  if (size > 0) {
    if (size > 3 || at + size >= limit) throw malformed('it is not in DER');
    length = bytes.subarray(at + 1, at + 1 + size).reduce((sum, byte) => sum * 256 + byte, 0);
    if (length < (size === 1 ? 0x80 : 256 ** (size - 1))) throw malformed('it is not in DER');
  }
  const from = at + 1 + size;
  if (from + length > limit || first === 0x80) throw malformed('it is not in DER');
  return { from, to: from + length };
}

function checkPrimitive(tag: number, content: Uint8Array): void {
  const [first, second] = content;
  const fits =
    tag === INTEGER
      ? first !== undefined &&
        !(second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
      : tag === BOOLEAN
        ? content.length === 1 && (first === 0 || first === 0xff)
        : tag !== BIT_STRING || (first !== undefined && first < 8);
  if (!fits) throw malformed('it is not in DER');
}
