import type { Etch } from '@svc/contract';
import { drawEtchCard, type Site } from '@svc/web';
import { lengthOf } from '../../etches/view.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import type { PageParts } from './parts.ts';
import { noteSubjects } from './resolved-subjects.ts';

interface CardOptions {
  showAuthor?: boolean;
  hit?: string | undefined;
}

export async function prepareCards(
  etches: readonly Etch[],
  { site, facts }: Pick<PageParts, 'site' | 'facts'>,
  options?: CardOptions,
): Promise<void> {
  await noteSubjects(facts, etches);
  await drawCards(etches, site, options);
}

export async function drawCards(
  etches: readonly Etch[],
  site: Pick<Site, 'drand' | 'now'>,
  options?: CardOptions,
): Promise<void> {
  await mapInTimeSlices(etches, lengthOf, (etch) => drawEtchCard(etch, site, options));
}
