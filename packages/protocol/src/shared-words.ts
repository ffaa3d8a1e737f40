/** Fewer are often a coincidence. */
const WORDS = 4;

/**
 * The first four consecutive words in both texts, ignoring case and punctuation.
 * @example
 * sharedWords('About rain: it will rain on Sunday', 'It will rain on Sunday.'); // 'it will rain on'
 */
export function sharedWords(description: string, content: string): string | null {
  const publicWords = wordsOf(description);
  const secret = ` ${wordsOf(content).join(' ')} `;
  for (let at = 0; at + WORDS <= publicWords.length; at++) {
    const run = publicWords.slice(at, at + WORDS).join(' ');
    if (secret.includes(` ${run} `)) return run;
  }
  return null;
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
