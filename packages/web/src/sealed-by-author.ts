import type { Etch } from '@svc/contract';
import { type BlindSeal, readBlindSeal } from '@svc/protocol/conventions';
import type { Site } from './site.ts';
import { timeText } from './time-text.ts';

/** The blind seal of an etch; undefined for a plain text. */
export const blindSealOf = (
  { content, created_at }: Pick<Etch, 'content' | 'created_at'>,
  { drand }: Pick<Site, 'drand'>,
): BlindSeal | undefined => readBlindSeal(content, created_at, drand);

/** The same before and after the round: the page opens nothing. */
export const blindHeadline = ({ due }: BlindSeal): string => `Blind seal until ${timeText(due)}`;

export const blindWords = ({ round }: BlindSeal): string =>
  `The words are encrypted to round ${round} of the drand network, and this service was given no key.`;
