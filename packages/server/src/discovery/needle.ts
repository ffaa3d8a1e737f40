import { fold } from '../search-index/fold.ts';

export interface Needle {
  folded: string;
  /** for LIKE; for a long needle also compare `folded` */
  pattern: string;
  isLong: boolean;
}

const PATTERN_LETTERS = 64;
/** A text has 2,000 characters; lower-casing gives two and folding six letters for each. */
const LONGEST_FOLD = 24_000;

export function toNeedle(q: string): Needle | undefined {
  if (q.length > LONGEST_FOLD) return undefined;
  const folded = fold(q);
  if (folded.length > LONGEST_FOLD) return undefined;
  const isLong = folded.length > PATTERN_LETTERS;
  return { folded, pattern: `%${isLong ? folded.slice(0, PATTERN_LETTERS) : folded}%`, isLong };
}

/** Ignores a leading `@` unless it is the whole query. */
export function withoutAt(q: string | undefined): string | null {
  if (q === undefined || q === '') return null;
  return q.length > 1 && q.startsWith('@') ? q.slice(1) : q;
}
