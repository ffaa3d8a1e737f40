import { showUnseen } from '@svc/protocol';

/** As `svc` names a character in a terminal: `\u001b`, `\u{e0041}`. */
const numbered = (codePoint: number): string => {
  const digits = codePoint.toString(16).padStart(4, '0');
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`;
};

/** Lines for a terminal, whoever's words are in them: nothing there repaints it, turns what is read or hides in it. */
export const inertLines = (text: string): string => showUnseen(text, numbered);

/** A text of someone else's for one line: no line of theirs looks like one of ours either. */
export const inert = (text: string): string =>
  inertLines(text).replace(/[\t\n]/g, (character) => numbered(character.charCodeAt(0)));
