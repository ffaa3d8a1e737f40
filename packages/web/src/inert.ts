/**
 * Characters that turn a reader's screen around, hide text or steer a terminal: controls but tab and line feed, what
 * reorders, what is invisible. Joiners stay: scripts and emoji are written with them.
 */
const UNSEEN =
  // eslint-disable-next-line no-control-regex -- naming them is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** A stretch of text as written, or the name of a character that is shown by its number. */
export interface Stretch {
  text: string;
  unseen: boolean;
}

/** Splits a text so that every unseen character can be shown by its number. CRLF counts as a line feed. */
export function stretches(text: string): Stretch[] {
  const found: Stretch[] = [];
  const lines = text.replaceAll('\r\n', '\n');
  let from = 0;
  for (const { 0: character, index } of lines.matchAll(UNSEEN)) {
    if (index > from) found.push({ text: lines.slice(from, index), unseen: false });
    found.push({ text: codePointName(character), unseen: true });
    from = index + character.length;
  }
  if (from < lines.length) found.push({ text: lines.slice(from), unseen: false });
  return found;
}

/** The same on one line and without markup, for titles and metadata. */
export function inertLine(text: string): string {
  return stretches(text)
    .map((stretch) => (stretch.unseen ? `[${stretch.text}]` : stretch.text))
    .join('')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Without unseen characters, for a field that shows what was typed. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, '');

/** JSON in which every unseen character is an escape: it means the same. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** The first `most` code points, with an ellipsis where something was cut. */
export function cut(text: string, most: number): string {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
}

const codePointName = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
