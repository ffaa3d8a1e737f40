import type { Etch } from '@svc/contract';
import { describedTarget } from '@svc/protocol/conventions';
import { findChallenges } from '../challenges/store.ts';
import { challengeListItem } from '../challenges/view.ts';
import type { Queryable } from '../db/db.ts';
import { findEtches } from '../etches/store.ts';
import { etchViews, type ViewContext } from '../etches/view.ts';

/**
 * Reads the etches and challenges that events are about. The record of a resolution, one of `etches`, names its
 * target.
 */
export async function readSubjects(
  db: Queryable,
  wanted: Record<'etches' | 'challenges' | 'resolutions', readonly string[]>,
  now: number,
  view: ViewContext,
) {
  const etches = new Map<string, Etch>();
  const readEtches = async (ids: readonly string[]): Promise<void> => {
    for (const etch of await etchViews(await findEtches(db, [...new Set(ids)]), now, view))
      etches.set(etch.id, etch);
  };
  await readEtches(wanted.etches);
  const targets = new Map(
    wanted.resolutions.flatMap((id) => {
      const target = describedTarget(etches.get(id)?.description ?? '');
      return target === null ? [] : [[id, target] as const];
    }),
  );
  const found = await findChallenges(db, [...new Set([...wanted.challenges, ...targets.values()])]);
  const challenges = new Map(
    found.flatMap((row) => (row ? [[row.id, challengeListItem(row, now, view)] as const] : [])),
  );
  await readEtches([...targets.values()].filter((id) => !challenges.has(id) && !etches.has(id)));
  return { etches, challenges, targets };
}
