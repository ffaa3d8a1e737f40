const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/** Without padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const letters = Math.min(bytes.length - at, 3) + 1;
    for (let place = 0; place < letters; place++) text += ALPHABET[(group >> (18 - 6 * place)) & 63]!;
  }
  return text;
}

/** Null unless canonical and without padding. */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let group = 0;
  let bits = 0;
  let at = 0;
  for (const letter of text) {
    const value = VALUES.get(letter);
    if (value === undefined) return null;
    group = ((group << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) bytes[at++] = (group >> (bits -= 8)) & 0xff;
  }
  // Unused bits must be zero.
  return (group & ((1 << bits) - 1)) === 0 ? bytes : null;
}

export const toPadded = (bytes: Uint8Array): string => {
  const text = toBase64(bytes);
  return text + '='.repeat((4 - (text.length % 4)) % 4);
};

/** Null unless canonical and padded. */
export function fromPadded(text: string): Uint8Array | null {
  const bytes = text.length % 4 === 0 ? fromBase64(text.replace(/={1,2}$/, '')) : null;
  return bytes !== null && toPadded(bytes) === text ? bytes : null;
}
