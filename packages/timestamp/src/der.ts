import { compareBytes } from '@svc/protocol';
import { GENERALIZED_TIME, readDerTime, UTC_TIME } from './der-time.ts';
import { malformed } from './timestamp-error.ts';

const CONSTRUCTED = 0x20;
export const BOOLEAN = 0x01;
export const INTEGER = 0x02;
const BIT_STRING = 0x03;
const NULL = 0x05;
const OBJECT_IDENTIFIER = 0x06;
export const SEQUENCE = 0x30;
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

export interface DerItem {
  tag: number;
  content: Uint8Array;
  /** with tag and length */
  whole: Uint8Array;
}

/**
 * The values in a sequence or set.
 * @param bytes that `checkDer` accepted
 */
export function itemsOfDer(bytes: Uint8Array): DerItem[] {
  const items: DerItem[] = [];
  const { from, to } = extent(bytes, 1, bytes.length);
  for (let at = from; at < to;) {
    const inner = extent(bytes, at + 1, to);
    const content = bytes.subarray(inner.from, inner.to);
    items.push({ tag: bytes[at]!, content, whole: bytes.subarray(at, inner.to) });
    at = inner.to;
  }
  return items;
}

/**
 * DER sorts the values of a set, and no value occurs twice (X.690, 11.6).
 * @throws {TimestampError}
 */
export function checkSorted(set: Uint8Array): void {
  const items = itemsOfDer(set);
  if (items.some(({ whole }, at) => at > 0 && compareBytes(items[at - 1]!.whole, whole) >= 0))
    throw malformed('a set in it is not sorted');
}

/** In as few bytes as possible. */
export function isInteger([first, second]: Uint8Array): boolean {
  const isPadded =
    second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
  return first !== undefined && !isPadded;
}

const CHECKS: Readonly<Record<number, (content: Uint8Array) => boolean>> = {
  [BOOLEAN]: (content) => content.length === 1 && (content[0] === 0 || content[0] === 0xff),
  [INTEGER]: isInteger,
  [BIT_STRING]: isBitString,
  [NULL]: ({ length }) => length === 0,
  [OBJECT_IDENTIFIER]: (content) =>
    content.length > 0 &&
    content.at(-1)! < 0x80 &&
    content.every((byte, at) => byte !== 0x80 || (at > 0 && content[at - 1]! >= 0x80)),
  [UTC_TIME]: (content) => readDerTime(UTC_TIME, content) !== null,
  [GENERALIZED_TIME]: (content) => readDerTime(GENERALIZED_TIME, content) !== null,
};

/** Unused bits are 0. */
function isBitString(content: Uint8Array): boolean {
  const unused = content[0];
  if (unused === undefined || unused > 7) return false;
  return unused === 0 || (content.length > 1 && content.at(-1)! % 2 ** unused === 0);
}

function checkPrimitive(tag: number, content: Uint8Array): void {
  if (CHECKS[tag]?.(content) === false) throw malformed('it is not in DER');
}
