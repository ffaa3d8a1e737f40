import { fold } from '../search-index/fold.ts';

/** What is looked for, folded as the texts are. */
export interface Needle {
  folded: string;
  /** for LIKE; a long needle's beginning, and `folded` is checked beside it */
  pattern: string;
  isLong: boolean;
}

/** A pattern of this many letters is as selective as any, and its trigrams are quickly looked up. */
const PATTERN_LETTERS = 64;
/** No text is longer: 2,000 characters, at most two after lower-casing, at most six letters each. */
const LONGEST_FOLD = 24_000;

/** Undefined for what no text can hold because it is longer than every text. */
export function toNeedle(q: string): Needle | undefined {
  if (q.length > LONGEST_FOLD) return undefined;
  const folded = fold(q);
  if (folded.length > LONGEST_FOLD) return undefined;
  const isLong = folded.length > PATTERN_LETTERS;
  return { folded, pattern: `%${isLong ? folded.slice(0, PATTERN_LETTERS) : folded}%`, isLong };
}

/** `q` of etch search: a leading `@` is ignored, unless it is all there is. Null for none or an empty one. */
export function withoutAt(q: string | undefined): string | null {
  if (q === undefined || q === '') return null;
  return q.length > 1 && q.startsWith('@') ? q.slice(1) : q;
}
