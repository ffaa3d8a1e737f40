import type { Etch } from '@svc/contract';
import { type BlindSeal, readBlindSeal } from '@svc/protocol/conventions';
import type { Site } from './site.ts';
import { timeText } from './time-text.ts';

/** What words are by which their author hid the text; undefined when they are a text. */
export const blindSealOf = (
  { content, created_at }: Pick<Etch, 'content' | 'created_at'>,
  { drand }: Pick<Site, 'drand'>,
): BlindSeal | undefined => readBlindSeal(content, created_at, drand);

/** In one line, in place of the state that texts have: it is the same before the round and after it, for nothing is opened here. */
export const blindHeadline = ({ due }: BlindSeal): string => `Sealed by its author until ${timeText(due)}`;

/** In place of the ciphertext. */
export const blindWords = ({ round }: BlindSeal): string =>
  `The words are encrypted to round ${round} of the drand network, and this service was given no key.`;
