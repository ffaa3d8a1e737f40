import type { Etch } from '@svc/contract';
import { type BlindSeal, readBlindSeal } from '@svc/protocol/conventions';
import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import type { Site } from './site.ts';
import { between, timeText } from './format.ts';
import { isBefore, type ProofStatus, spanAfterWriting } from './proof-status.ts';

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

export function blindStatus(
  { created_at: written, chain: { anchored_at: anchored }, signature }: Etch,
  seal: BlindSeal,
  status: ProofStatus,
  site: Pick<Site, 'now'>,
): ProofStatus {
  return {
    ...status,
    glyph: 'sealed',
    tone: anchored ? 'sealed' : 'pending',
    headline: blindHeadline(seal, site),
    lead: status.lead,
    proven: anchored
      ? [
          existed(written!, anchored),
          'It opens to one text, which was fixed by then, or to none.',
          ...(signature
            ? ['The holder of the signing key (in the technical details) signed the ciphertext.']
            : []),
        ]
      : [],
    notProven: [
      'What it says, or that it opens to a text at all. Anyone can see that once it can be opened.',
      'That it was not opened earlier: together, the members of the drand network have the key.',
      ...status.notProven,
    ],
  };
}

function existed(written: string, anchored: string): string {
  const by = timeText(anchored, 'seconds');
  const stated = timeText(written, 'seconds');
  if (isBefore(anchored, written))
    return `This ciphertext existed by ${by}. The stated time of writing, ${stated}, is later.`;
  return between(written, anchored) > LATE_AFTER_MILLISECONDS
    ? `This ciphertext existed by ${by}. The earlier time ${stated} is only stated.`
    : `This ciphertext existed by ${by}. That is ${spanAfterWriting(written, anchored)} after the stated time of writing, ${stated}.`;
}
