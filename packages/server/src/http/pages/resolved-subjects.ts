import type { Etch } from '@svc/contract';
import { describedTarget } from '@svc/protocol/conventions';
import { noteSubject, questionText, titleOf, unitOf } from '@svc/web';
import { findChallenges } from '../../challenges/store.ts';
import { findEtches } from '../../etches/store.ts';
import { etchView } from '../../etches/view.ts';
import type { Facts } from './parts.ts';

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
