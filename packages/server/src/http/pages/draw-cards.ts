import type { Etch } from '@svc/contract';
import { describedTarget } from '@svc/protocol/conventions';
import { drawEtchCard, noteSubject, questionText, type Site, titleOf, unitOf } from '@svc/web';
import { findChallenges } from '../../challenges/store.ts';
import { findEtches } from '../../etches/store.ts';
import { etchView, lengthOf } from '../../etches/view.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import type { Parts } from '../parts.ts';
import { siteOf } from './site.ts';

interface CardOptions {
  showAuthor?: boolean;
  hit?: string | undefined;
}

export async function prepareCards(
  etches: readonly Etch[],
  parts: Parts,
  options?: CardOptions,
): Promise<void> {
  await noteSubjects(parts, etches);
  await drawCards(etches, siteOf(parts), options);
}

export async function drawCards(
  etches: readonly Etch[],
  site: Pick<Site, 'drand' | 'now'>,
  options?: CardOptions,
): Promise<void> {
  await mapInTimeSlices(etches, lengthOf, (etch) => drawEtchCard(etch, site, options));
}

/** Only the creator of a closed challenge and the author of a forecast can resolve it; others only claim an outcome. */
export async function noteSubjects({ db, clock, view }: Parts, etches: readonly Etch[]): Promise<void> {
  const targets = new Map<Etch, string>();
  for (const etch of etches) {
    const target = describedTarget(etch.description);
    if (target !== null) targets.set(etch, target);
  }
  if (targets.size === 0) return;
  const ids = [...new Set(targets.values())];
  const subjects = new Map<string, Parameters<typeof noteSubject>[1] & { resolver: string; from: string }>();
  for (const row of await findChallenges(db, ids))
    if (row)
      subjects.set(row.id, {
        path: `/ch/${row.id}`,
        title: questionText(row.question),
        unit: unitOf(row.question),
        resolver: row.creator_id,
        from: row.reveal_at,
      });
  for (const row of await findEtches(db, ids)) {
    if (!row) continue;
    const forecast = etchView(row, clock.now(), view);
    const { author, created_on: from } = forecast;
    subjects.set(row.id, { path: `/e/${row.id}`, title: titleOf(forecast), resolver: author.user_id, from });
  }
  for (const [etch, target] of targets) {
    const subject = subjects.get(target);
    if (subject?.resolver === etch.author.user_id && (etch.created_at ?? etch.created_on) >= subject.from)
      noteSubject(etch, subject);
  }
}
