import { showUnseen, showUnseenInJson } from '@svc/protocol';

/** A terminal has one line for a text: what moves within a line or to the next one is not seen either. */
const LAYOUT = /[\t\n]/g;

const escape = (codePoint: number): string => {
  const digits = codePoint.toString(16).padStart(4, '0');
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`;
};

/**
 * A text of someone else's for one line of a terminal: what could repaint it, forge a line, reorder what is read or hide
 * in it is shown as `\u001b`.
 */
export const inert = (text: string): string =>
  showUnseen(text, escape).replace(LAYOUT, (character) => escape(character.codePointAt(0)!));

/** JSON whose strings hold nothing of that kind either; its own line ends stay. */
export const inertJson = (value: unknown): string => showUnseenInJson(JSON.stringify(value, null, 2));

/** The same in one line. */
export const inertJsonLine = (value: unknown): string => showUnseenInJson(JSON.stringify(value));
