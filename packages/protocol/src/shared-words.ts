/** So many words in a row are no accident. */
const WORDS = 4;

/**
 * What a description, which is public at once and for ever, gives away of a text: the first four words in a row that both
 * hold, letter case and punctuation between them ignored; null when there are none.
 * @example
 * sharedWords('About rain: it will rain on Sunday', 'It will rain on Sunday.'); // 'it will rain on'
 */
export function sharedWords(description: string, content: string): string | null {
  const said = wordsOf(description);
  const secret = ` ${wordsOf(content).join(' ')} `;
  for (let at = 0; at + WORDS <= said.length; at++) {
    const run = said.slice(at, at + WORDS).join(' ');
    if (secret.includes(` ${run} `)) return run;
  }
  return null;
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
