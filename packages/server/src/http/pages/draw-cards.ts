import type { Etch } from '@svc/contract';
import { drawEtchCard, noteSubject, questionText, type Site, titleOf, unitOf } from '@svc/web';
import { describedTarget } from '@svc/protocol/conventions';
import { etchView, lengthOf } from '../../etches/view.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import type { Facts, PageParts } from './parts.ts';
import { findChallenges } from '../../challenges/store.ts';
import { findEtches } from '../../etches/store.ts';

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

/** Only the creator of a closed challenge and the author of a forecast can resolve it; others only claim an outcome. */
export async function noteSubjects({ db, clock, view }: Facts, etches: readonly Etch[]): Promise<void> {
  const targets = new Map<Etch, string>();
  for (const etch of etches) {
    const target = describedTarget(etch.description);
    if (target !== null) targets.set(etch, target);
  }
  if (targets.size === 0) return;
  const ids = [...new Set(targets.values())];
  const subjects = new Map<
    string,
    { path: string; title: string; unit?: string; resolver: string; from: string }
  >(
    (await findChallenges(db, ids)).flatMap((row) =>
      row
        ? [
            [
              row.id,
              {
                path: `/ch/${row.id}`,
                title: questionText(row.question),
                unit: unitOf(row.question),
                resolver: row.creator_id,
                from: row.reveal_at,
              },
            ] as const,
          ]
        : [],
    ),
  );
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
