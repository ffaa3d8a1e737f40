import { showUnseen } from '@svc/protocol';

/**
 * Writes texts of strangers into a Markdown document: they must not create a heading, a link, a fence or an entry, or
 * change the direction of the page.
 */

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Writes invisible characters out, such as `\u{202e}`. Drops a carriage return before a line feed. */
export const visible = (text: string): string =>
  showUnseen(text.replaceAll('\r\n', '\n'), (codePoint) => `\\u{${codePoint.toString(16)}}`);

/** Escapes all Markdown punctuation. */
export function inline(text: string): string {
  return visible(text).replace(PUNCTUATION, '\\$&').replace(/\s+/g, ' ').trim();
}

/** A code block whose fence is longer than any run of tildes in the text. */
export function fenced(text: string): string {
  const shown = visible(text);
  const longest = Math.max(0, ...[...shown.matchAll(/~+/g)].map(([run]) => run.length));
  const fence = '~'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}`;
}
