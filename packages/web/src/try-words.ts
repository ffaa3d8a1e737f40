import { CANONICAL_TAG, etchHash, isWellFormedText, parseCanonicalString } from '@svc/protocol';
import { pathToRoot } from '@svc/verifier';

export interface Tryable {
  before: string;
  userId: string;
  hash: string;
  version: 1 | 2;
  proof: readonly string[];
  root: string;
}

export interface Tried {
  hash: string;
  root: string;
  holds: boolean;
  differing: number;
}

export function tryWords(
  { before, userId, hash, version, proof, root }: Tryable,
  words: string,
): Tried | null {
  if (!isWellFormedText(words)) return null;
  const made = etchHash(before + words);
  const folded = pathToRoot(version, userId, made, proof).at(-1)!;
  return {
    hash: made,
    root: folded,
    holds: made === hash && folded === root,
    differing: [...made].filter((digit, index) => digit !== hash[index]).length,
  };
}

export function splitCanonical(canonical: string): { before: string; userId: string; words: string } | null {
  const parts = parseCanonicalString(canonical);
  if (parts === null) return null;
  const { userId, createdAt, salt, content } = parts;
  return { before: `${CANONICAL_TAG}|${userId}|${createdAt}|${salt}|`, userId, words: content };
}

/** docs/claims.md lists the checks behind each sentence. */
export function resultOf(tried: Tried | null): {
  verdict: 'same' | 'other';
  headline: string;
  detail: string;
} {
  if (tried === null)
    return {
      verdict: 'other',
      headline: 'An etch cannot contain this text.',
      detail: 'It contains an invalid character.',
    };
  return tried.holds
    ? {
        verdict: 'same',
        headline: 'These are the words: their hash is in the tree.',
        detail: 'This does not read the chain. The third check does.',
      }
    : {
        verdict: 'other',
        headline: 'These are different words: their hash is not in the tree.',
        detail: `${tried.differing} of its 64 digits differ, so the fold ends at a different root.`,
      };
}
