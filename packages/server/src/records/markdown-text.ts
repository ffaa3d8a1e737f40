import { showUnseen } from '@svc/protocol';

/**
 * Texts of strangers inside a markdown document: they must not be able to make a heading, a link, a fence or a
 * whole entry of their own, nor turn the reader's screen around.
 */

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Characters that are not seen written out, as `\u{202e}`. A carriage return before a line feed is just dropped. */
export const visible = (text: string): string =>
  showUnseen(text.replaceAll('\r\n', '\n'), (codePoint) => `\\u{${codePoint.toString(16)}}`);

/** On one line, with everything escaped that markdown could read. */
export function inline(text: string): string {
  return visible(text).replace(PUNCTUATION, '\\$&').replace(/\s+/g, ' ').trim();
}

/** As a block that ends nowhere inside the text: its fence is longer than any run of tildes there. */
export function fenced(text: string): string {
  const shown = visible(text);
  const longest = Math.max(0, ...[...shown.matchAll(/~+/g)].map(([run]) => run.length));
  const fence = '~'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}`;
}
