import { bytesToHex } from './hex.ts';

/** This package loads no runtime's types. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Without NUL and lone surrogates, which encoders replace silently.
 * @example
 * isWellFormedText('é, 🌊'); // true
 * isWellFormedText('\ud800'); // false
 */
export function isWellFormedText(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}

/**
 * Unicode code points (docs/specification.md#formats).
 * @example
 * codePointLength('🌊🌊'); // 2
 */
export const codePointLength = (text: string): number => [...text].length;

/**
 * UTF-8.
 * @throws {RangeError} on a lone surrogate or a NUL
 * @example
 * textToBytes('é'); // Uint8Array.of(0xc3, 0xa9)
 */
export function textToBytes(text: string): Uint8Array {
  if (!isWellFormedText(text)) throw new RangeError('text contains a lone surrogate or a NUL');
  return new TextEncoder().encode(text);
}

/**
 * Null when the bytes are not UTF-8.
 * @example
 * textOfBytes(Uint8Array.of(0xc3, 0xa9)); // 'é'
 * textOfBytes(Uint8Array.of(0xc3)); // null
 */
export function textOfBytes(bytes: Uint8Array): string | null {
  try {
    return decodeURIComponent(bytesToHex(bytes).replace(/../g, '%$&'));
  } catch {
    return null;
  }
}
