/** This package loads no runtime's types. */
declare const btoa: (latin1: string) => string;
declare const atob: (base64: string) => string;

export function toPadded(bytes: Uint8Array): string {
  let latin1 = '';
  for (const byte of bytes) latin1 += String.fromCharCode(byte);
  return btoa(latin1);
}

/** Null unless canonical and padded. */
export function fromPadded(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return toPadded(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

/** Without padding. */
export const toBase64 = (bytes: Uint8Array): string => toPadded(bytes).replace(/=+$/, '');

/** Null unless canonical and without padding. */
export const fromBase64 = (text: string): Uint8Array | null =>
  text.endsWith('=') ? null : fromPadded(text + '='.repeat((4 - (text.length % 4)) % 4));
