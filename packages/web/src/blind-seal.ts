import type { Etch } from '@svc/contract';
import { type BlindSeal, readBlindSeal } from '@svc/protocol/conventions';
import type { Site } from './site.ts';
import { timeText } from './time-text.ts';

export const blindSealOf = (
  { content, created_at }: Pick<Etch, 'content' | 'created_at'>,
  { drand }: Pick<Site, 'drand'>,
): BlindSeal | undefined => readBlindSeal(content, created_at, drand);

export const canBeOpened = ({ due }: BlindSeal, { now = 0 }: Pick<Site, 'now'>): boolean =>
  Date.parse(due) <= now;

export const blindHeadline = (seal: BlindSeal, site: Pick<Site, 'now'>): string =>
  canBeOpened(seal, site) ? 'Blind seal: can be opened now' : `Blind seal until ${timeText(seal.due)}`;

export const blindWords = ({ round }: BlindSeal): string =>
  `The words are encrypted to round ${round} of the drand network, and this service never had them.`;
