import type { Etch } from '@svc/contract';
import { describedTarget } from '@svc/protocol/conventions';
import { noteSubject, questionText, titleOf } from '@svc/web';
import { findChallenges } from '../../challenges/store.ts';
import { findEtches } from '../../etches/store.ts';
import { etchView } from '../../etches/view.ts';
import type { Facts } from './parts.ts';

/** Notes for the pages what the resolutions among these etches decide. Other etches cost no query. */
export async function noteSubjects({ db, clock, view }: Facts, etches: readonly Etch[]): Promise<void> {
  const targets = new Map<Etch, string>();
  for (const etch of etches) {
    const target = describedTarget(etch.description);
    if (target !== null) targets.set(etch, target);
  }
  if (targets.size === 0) return;
  const ids = [...new Set(targets.values())];
  const subjects = new Map<string, { path: string; title: string }>(
    (await findChallenges(db, ids)).flatMap((row) =>
      row ? [[row.id, { path: `/ch/${row.id}`, title: questionText(row.question) }] as const] : [],
    ),
  );
  for (const row of await findEtches(db, ids)) {
    if (!row) continue;
    const forecast = etchView(row, clock.now(), view);
    subjects.set(row.id, { path: `/e/${row.id}`, title: titleOf(forecast) });
  }
  for (const [etch, target] of targets) {
    const subject = subjects.get(target);
    if (subject) noteSubject(etch, subject);
  }
}
