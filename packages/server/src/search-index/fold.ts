import { withoutCiphertext } from '@svc/protocol/conventions';

/**
 * Text as it is searched: lower-cased code point by code point and written in letters and digits only, so that the
 * database's locale has no say in it and a search for blanks, signs, Cyrillic or emoji uses the trigram index
 * like any other.
 *
 * `[a-z0-9]` stand for themselves. Every other code point becomes an upper-case letter that says its width, then
 * its number in nibbles `A` to `P`; some frequent ones have a letter of their own. The first letter of a code is never the
 * inside of another, so `fold(text)` contains `fold(q)` exactly when lower-cased `text` contains lower-cased `q`.
 */
export function fold(text: string): string {
  return ASCII_ONLY.test(text)
    ? text.toLowerCase().replace(OTHER_ASCII, (sign) => ASCII[sign.charCodeAt(0)]!)
    : Array.from(text, foldCodePoint).join('');
}

/** Between the description and the text of an etch; no fold holds it, so no match reaches across. */
export const SEPARATOR = 'Z';

/** What `etch_search.text` holds. `content` is null while it is not public, and after retraction. */
export function searchText(description: string, content: string | null): string {
  return fold(description) + SEPARATOR + (content === null ? '' : foldContent(content));
}

/** Nobody looks for ciphertext, and what it holds is found nowhere: of a blind seal its chain and its round are searched. */
export const foldContent = (content: string): string => fold(withoutCiphertext(content));

const ASCII_ONLY = /^[\0-\x7f]*$/;
const OTHER_ASCII = /[^a-z0-9]/g;
const FREQUENT: Readonly<Record<string, string>> = { '\n': 'U', ',': 'V', '.': 'W', ' ': 'X', '-': 'Y' };
const NIBBLES = 'ABCDEFGHIJKLMNOP';

const ASCII = Array.from({ length: 128 }, (_, code) => encode(String.fromCharCode(code).toLowerCase()));
/** Lower-casing and encoding a code point, remembered for the plane that texts are mostly made of. */
const known = new Map<string, string>();

function foldCodePoint(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 128) return ASCII[code]!;
  let folded = known.get(character);
  if (folded === undefined) {
    // A final sigma is a sigma: whole-word lower-casing, which would know, is not the same for a part of the word.
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
