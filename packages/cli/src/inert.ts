/**
 * Controls (ESC and line ends among them), bidirectional controls and line separators: what could repaint a
 * terminal, forge a line or reorder what is read.
 */
const ACTIVE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

const escape = (character: string) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;

/** A text of someone else's for one line of a terminal; what is active in it is shown as `\u001b`. */
export const inert = (text: string): string => text.replace(ACTIVE, escape);

/** JSON whose strings hold nothing active either; its own line ends stay. */
export const inertJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(ACTIVE, (character) =>
    character === '\n' ? character : escape(character),
  );
