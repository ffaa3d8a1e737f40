import type { Etch } from '@svc/contract';
import type { BlindSeal } from '@svc/protocol/conventions';
import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import type { Standing } from './proven.ts';
import { blindHeadline } from './sealed-by-author.ts';
import { between, timeText } from './time-text.ts';

/** The standing of a blind seal. It speaks about the ciphertext. */
export function blindStanding(
  { created_at: written, chain: { anchored_at: anchored }, signature }: Etch,
  seal: BlindSeal,
  standing: Standing,
): Standing {
  return {
    ...standing,
    glyph: 'sealed',
    tone: anchored ? 'sealed' : 'pending',
    headline: blindHeadline(seal),
    lead: anchored ? `Anchored ${timeText(anchored, 'seconds')}. ${standing.lead}` : standing.lead,
    proven: anchored
      ? [
          existed(written!, anchored),
          'The text that it opens to was fixed by then: one text, or none.',
          ...(signature ? ['The holder of the signing key below signed the ciphertext.'] : []),
        ]
      : [],
    notProven: [
      `What it says, and that it says anything: anybody can open it from ${timeText(seal.due, 'seconds')} on.`,
      'That nobody opens it earlier: the parties of the drand network hold the key to it between them.',
      ...standing.notProven,
    ],
  };
}

function existed(written: string, anchored: string): string {
  const by = timeText(anchored, 'seconds');
  const stated = timeText(written, 'seconds');
  return between(written, anchored) > LATE_AFTER_MILLISECONDS
    ? `This ciphertext existed by ${by}. The earlier time ${stated} is only stated.`
    : `This ciphertext existed by ${by}, and the time it states, ${stated}, fits.`;
}
