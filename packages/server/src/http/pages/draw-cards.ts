import type { Etch } from '@svc/contract';
import { drawEtchCard, type Site } from '@svc/web';
import { lengthOf } from '../../etches/view.ts';
import { mapInTimeSlices } from '../../flow/time-slices.ts';

/** Draws the cards of the next page; yields between long texts. */
export async function drawCards(
  etches: readonly Etch[],
  site: Pick<Site, 'drand'>,
  options?: { showAuthor?: boolean; hit?: string | undefined },
): Promise<void> {
  await mapInTimeSlices(etches, lengthOf, (etch) => drawEtchCard(etch, site, options));
}
