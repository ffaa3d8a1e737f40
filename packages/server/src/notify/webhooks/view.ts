import type { Delivery, Etch, EventType, Event as EventView, Webhook } from '@svc/contract';
import { describedTarget } from '@svc/protocol/conventions';
import { findChallenges } from '../../challenges/store.ts';
import { challengeListItem } from '../../challenges/view.ts';
import type { Queryable } from '../../db/db.ts';
import { findEtches } from '../../etches/store.ts';
import { etchView, type ViewContext } from '../../etches/view.ts';
import type { DeliveryRow, WebhookRow } from './store.ts';

export interface StoredEvent {
  id: string;
  type: EventType;
  record_id: string;
  at: string;
}

export async function eventViews(
  db: Queryable,
  events: readonly StoredEvent[],
  now: number,
  context: ViewContext,
): Promise<EventView[]> {
  const recordsOf = (isWanted: (type: EventType) => boolean): string[] => [
    ...new Set(events.filter(({ type }) => isWanted(type)).map((event) => event.record_id)),
  ];
  const etches = new Map<string, Etch>();
  const readEtches = async (ids: readonly string[]): Promise<void> => {
    for (const row of ids.length > 0 ? await findEtches(db, ids) : [])
      if (row) etches.set(row.id, etchView(row, now, context));
  };
  await readEtches(recordsOf((type) => type !== 'challenge.closed'));
  // The record of these events is the resolution, which names its target.
  const targets = new Map(
    recordsOf(isResolved).flatMap((id) => {
      const target = describedTarget(etches.get(id)?.description ?? '');
      return target === null ? [] : [[id, target] as const];
    }),
  );
  const targetsOf = (wanted: EventType): string[] =>
    recordsOf((type) => type === wanted).flatMap((id) => targets.get(id) ?? []);
  await readEtches(targetsOf('etch.resolved').filter((id) => !etches.has(id)));
  const challengeIds = [
    ...new Set([...recordsOf((type) => type === 'challenge.closed'), ...targetsOf('challenge.resolved')]),
  ];
  const challenges = new Map(
    (await findChallenges(db, challengeIds)).flatMap((row) =>
      row ? [[row.id, challengeListItem(row, now, context)] as const] : [],
    ),
  );
  return events.flatMap(({ id, type, at, record_id: recordId }) => {
    const about = isResolved(type) ? targets.get(recordId) : recordId;
    if (about === undefined) return [];
    const subject = type.startsWith('challenge.')
      ? { challenge: challenges.get(about) }
      : { etch: etches.get(about) };
    if (Object.values(subject)[0] === undefined) return [];
    const data = isResolved(type) ? { ...subject, resolution: etches.get(recordId) } : subject;
    return [{ id, type, timestamp: at, data } as EventView];
  });
}

const isResolved = (type: EventType): boolean => type === 'etch.resolved' || type === 'challenge.resolved';

export function webhookView(
  { user_id: _, old_secrets_until: until, ...shown }: WebhookRow,
  now: number,
): Webhook {
  return { ...shown, old_secrets_until: until !== null && Date.parse(until) > now ? until : null };
}

export function deliveryView(row: DeliveryRow): Delivery {
  return {
    event_id: row.event_id,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    created_at: row.created_at,
    last_attempt_at: row.last_at,
    next_attempt_at: row.state === 'pending' ? row.next_at : null,
    last_status: row.last_status,
    problem: row.problem,
  };
}
