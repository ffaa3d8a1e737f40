import { showUnseen } from '@svc/protocol';

/** A stranger's text must not create headings, links, fences or entries, or change the page's direction. */

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

export const visible = (text: string): string =>
  showUnseen(text.replaceAll('\r\n', '\n'), (codePoint) => `\\u{${codePoint.toString(16)}}`);

export function inline(text: string): string {
  return visible(text).replace(PUNCTUATION, '\\$&').replace(/\s+/g, ' ').trim();
}

/** The fence is longer than any run of tildes in the text. */
export function fenced(text: string): string {
  const shown = visible(text);
  const longest = Math.max(0, ...[...shown.matchAll(/~+/g)].map(([run]) => run.length));
  const fence = '~'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}`;
}
