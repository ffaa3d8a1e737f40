import type { Etch } from '@svc/contract';
import type { BlindSeal } from '@svc/protocol/conventions';
import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import type { Standing } from './proven.ts';
import { blindHeadline } from './blind-seal.ts';
import type { Site } from './site.ts';
import { between, timeText } from './time-text.ts';

export function blindStanding(
  { created_at: written, chain: { anchored_at: anchored }, signature }: Etch,
  seal: BlindSeal,
  standing: Standing,
  site: Pick<Site, 'now'>,
): Standing {
  return {
    ...standing,
    glyph: 'sealed',
    tone: anchored ? 'sealed' : 'pending',
    headline: blindHeadline(seal, site),
    lead: anchored ? `Anchored ${timeText(anchored, 'seconds')}. ${standing.lead}` : standing.lead,
    proven: anchored
      ? [
          existed(written!, anchored),
          'It opens to one text, which was fixed by then, or to none.',
          ...(signature ? ['The holder of the signing key below signed the ciphertext.'] : []),
        ]
      : [],
    notProven: [
      'What it says, or that it opens to a text at all. Anyone can see that once it can be opened.',
      'That it was not opened earlier: together, the members of the drand network have the key.',
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
