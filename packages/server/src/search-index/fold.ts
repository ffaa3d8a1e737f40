import { withoutCiphertext } from '@svc/protocol/conventions';

/**
 * Lower-cases each code point and writes it in ASCII, so the locale has no effect and any text uses the trigram
 * index.
 * `[a-z0-9]` stay; others become an upper-case letter for the width and nibbles `A` to `P`, frequent ones a single
 * letter. No code's first letter occurs inside a code, so `fold(text)` contains `fold(q)` exactly when lower-cased
 * `text` contains lower-cased `q`.
 */
export function fold(text: string): string {
  return ASCII_ONLY.test(text)
    ? text.toLowerCase().replace(OTHER_ASCII, (sign) => ASCII[sign.charCodeAt(0)]!)
    : Array.from(text, foldCodePoint).join('');
}

/** No match spans the separator of description and text. */
export const SEPARATOR = 'Z';

/** @param content null while not public, and after retraction */
export const searchText = (description: string, content: string | null): string =>
  fold(description) + SEPARATOR + (content === null ? '' : foldContent(content));

/** Leaves the ciphertext out: a search finds a blind seal by chain and round. */
export const foldContent = (content: string): string => fold(withoutCiphertext(content));

const ASCII_ONLY = /^[\0-\x7f]*$/;
const OTHER_ASCII = /[^a-z0-9]/g;
const FREQUENT: Readonly<Record<string, string>> = { '\n': 'U', ',': 'V', '.': 'W', ' ': 'X', '-': 'Y' };
const NIBBLES = 'ABCDEFGHIJKLMNOP';

const ASCII = Array.from({ length: 128 }, (_, code) => encode(String.fromCharCode(code).toLowerCase()));
const known = new Map<string, string>();

function foldCodePoint(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 128) return ASCII[code]!;
  let folded = known.get(character);
  if (folded === undefined) {
    // This sigma occurs in the middle of words, so parts of words match.
    const lower = character === 'ς' ? 'σ' : character.toLowerCase();
    folded = Array.from(lower, encode).join('');
    if (character.length === 1) known.set(character, folded);
  }
  return folded;
}

function encode(character: string): string {
  if (/^[a-z0-9]$/.test(character)) return character;
  const frequent = FREQUENT[character];
  if (frequent !== undefined) return frequent;
  const code = character.codePointAt(0)!;
  if (code < 0x100) return `Q${nibbles(code, 2)}`;
  if (code < 0x1000) return `R${nibbles(code, 3)}`;
  if (code < 0x10000) return `S${nibbles(code, 4)}`;
  return `T${nibbles(code - 0x10000, 5)}`;
}

function nibbles(value: number, width: number): string {
  let text = '';
  for (let place = width - 1; place >= 0; place--) text += NIBBLES[(value >> (4 * place)) & 15]!;
  return text;
}
