// Adds to events and inbox items the etch or challenge that each is about.
import {
  type ChallengeListItem,
  type Etch,
  EVENTS,
  type EventType,
  type Event as EventView,
} from '@svc/contract';
import { describedTarget } from '@svc/protocol/conventions';
import { findChallenges } from '../challenges/store.ts';
import { challengeListItem } from '../challenges/view.ts';
import type { Queryable } from '../db/db.ts';
import { findEtches } from '../etches/store.ts';
import { etchViews, type ViewContext } from '../etches/view.ts';

type EventSubjectKind = 'etch' | 'challenge' | 'resolution';

export interface EventSubject {
  etch?: Etch;
  challenge?: ChallengeListItem;
  /** resolves the challenge, or the forecast in `etch` */
  resolution?: Etch;
}

/**
 * Reads the etch or challenge that each row is about, and leaves out rows without one. The record of a resolution
 * names its target.
 */
export async function readEventSubjects<Row extends { record_id: string }>(
  db: Queryable,
  rows: readonly Row[],
  kindOfRow: (row: Row) => EventSubjectKind,
  now: number,
  view: ViewContext,
): Promise<{ row: Row; subject: EventSubject }[]> {
  const idsOf = (kind: EventSubjectKind): string[] =>
    rows.filter((row) => kindOfRow(row) === kind).map((row) => row.record_id);
  const etches = new Map<string, Etch>();
  const readEtches = async (ids: readonly string[]): Promise<void> => {
    for (const etch of await etchViews(await findEtches(db, [...new Set(ids)]), now, view))
      etches.set(etch.id, etch);
  };
  await readEtches([...idsOf('etch'), ...idsOf('resolution')]);
  const targetOf = (id: string): string | null => describedTarget(etches.get(id)?.description ?? '');
  const targets = idsOf('resolution').flatMap((id) => targetOf(id) ?? []);
  const found = await findChallenges(db, [...new Set([...idsOf('challenge'), ...targets])]);
  const challenges = new Map(found.flatMap((row) => (row ? [[row.id, row] as const] : [])));
  await readEtches(targets.filter((id) => !challenges.has(id) && !etches.has(id)));

  return rows.flatMap((row) => {
    const resolution = kindOfRow(row) === 'resolution' ? etches.get(row.record_id) : undefined;
    const about = kindOfRow(row) === 'resolution' ? targetOf(row.record_id) : row.record_id;
    const [challenge, etch] = [challenges.get(about ?? ''), etches.get(about ?? '')];
    if (!challenge && !etch) return [];
    const subject = challenge ? { challenge: challengeListItem(challenge, now, view) } : { etch: etch! };
    return [{ row, subject: { ...subject, ...(resolution && { resolution }) } }];
  });
}

function kindOf({ type }: { type: EventType }): EventSubjectKind {
  const { data } = EVENTS[type].schema.properties;
  if ('resolution' in data.properties) return 'resolution';
  return 'etch' in data.properties ? 'etch' : 'challenge';
}

export async function eventViews(
  db: Queryable,
  events: readonly { id: string; type: EventType; record_id: string; at: string }[],
  now: number,
  view: ViewContext,
): Promise<EventView[]> {
  const found = await readEventSubjects(db, events, kindOf, now, view);
  return found.map(
    ({ row: { id, type, at }, subject }) => ({ id, type, timestamp: at, data: subject }) as EventView,
  );
}
