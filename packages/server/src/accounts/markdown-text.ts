/**
 * Texts of strangers inside a markdown document: they must not be able to make a heading, a link, a fence or a
 * whole entry of their own, nor turn the reader's screen around.
 */

// Control characters but tab and line feed, and what reorders or hides text.
/* eslint-disable no-control-regex -- naming them is the point */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
/* eslint-enable no-control-regex */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Invisible characters written out, as `\u{202e}`. A carriage return before a line feed is just dropped. */
export function visible(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

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
