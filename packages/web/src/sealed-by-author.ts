import type { Etch } from '@svc/contract';
import { type BlindSeal, readBlindSeal } from '@svc/protocol/conventions';
import type { Site } from './site.ts';
import { timeText } from './time-text.ts';

/** How the author hid the text of these words; undefined for a plain text. */
export const blindSealOf = (
  { content, created_at }: Pick<Etch, 'content' | 'created_at'>,
  { drand }: Pick<Site, 'drand'>,
): BlindSeal | undefined => readBlindSeal(content, created_at, drand);

/** One line in place of the status. It is the same before and after the round, because the page opens nothing. */
export const blindHeadline = ({ due }: BlindSeal): string => `Sealed by its author until ${timeText(due)}`;

/** Shown in place of the ciphertext. */
export const blindWords = ({ round }: BlindSeal): string =>
  `The words are encrypted to round ${round} of the drand network, and this service was given no key.`;
