export type Rlp = Uint8Array | Rlp[];

export class EvidenceError extends Error {
  override name = 'EvidenceError';
}

const MOST_NESTED = 8;

/**
 * Canonical only (docs/protocol.md#48-evidence).
 * @throws {EvidenceError}
 */
export function decodeRlp(bytes: Uint8Array): Rlp {
  const { item, end } = read(bytes, 0, bytes.length, 0);
  if (end !== bytes.length) throw malformed();
  return item;
}

function read(bytes: Uint8Array, at: number, limit: number, depth: number): { item: Rlp; end: number } {
  if (at >= limit || depth > MOST_NESTED) throw malformed();
  const first = bytes[at]!;
  if (first < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 };
  const isList = first >= 0xc0;
  const { from, length } = extent(bytes, at, limit, first - (isList ? 0xc0 : 0x80));
  const end = from + length;
  if (end > limit) throw malformed();
  if (!isList) {
    if (length === 1 && bytes[from]! < 0x80) throw malformed();
    return { item: bytes.subarray(from, end), end };
  }
  const list: Rlp[] = [];
  for (let next = from; next < end;) {
    const { item, end: after } = read(bytes, next, end, depth + 1);
    list.push(item);
    next = after;
  }
  return { item: list, end };
}

/** `short` is the length below 56, else 55 plus the size of the length. */
function extent(bytes: Uint8Array, at: number, limit: number, short: number) {
  if (short < 56) return { from: at + 1, length: short };
  const size = short - 55;
  if (size > 4 || at + 1 + size > limit || bytes[at + 1] === 0) throw malformed();
  const length = bytes.subarray(at + 1, at + 1 + size).reduce((sum, byte) => sum * 256 + byte, 0);
  if (length < 56) throw malformed();
  return { from: at + 1 + size, length };
}

/** The key of a receipt in its trie. */
export function encodeIndex(index: number): Uint8Array {
  if (index === 0) return Uint8Array.of(0x80);
  const bytes: number[] = [];
  for (let rest = index; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes.length === 1 && bytes[0]! < 0x80
    ? Uint8Array.from(bytes)
    : Uint8Array.of(0x80 + bytes.length, ...bytes);
}

/** @throws {EvidenceError} unless it is a list of `least` to `most` items */
export function asList(item: Rlp | undefined, least: number, most = Infinity): Rlp[] {
  if (!Array.isArray(item) || item.length < least || item.length > most) throw malformed();
  return item;
}

/** @throws {EvidenceError} unless it is a byte string, of this length if given */
export function asBytes(item: Rlp | undefined, length?: number): Uint8Array {
  if (item === undefined || Array.isArray(item) || (length !== undefined && item.length !== length))
    throw malformed();
  return item;
}

/** @throws {EvidenceError} unless it is a whole number below 2^53 without leading zeros */
export function asNumber(item: Rlp | undefined): number {
  const bytes = asBytes(item);
  const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  if (bytes.length > 7 || bytes[0] === 0 || !Number.isSafeInteger(value)) throw malformed();
  return value;
}

const malformed = () => new EvidenceError('its RLP is malformed');
