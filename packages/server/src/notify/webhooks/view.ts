import type { Delivery, EventType, Event as EventView, Webhook } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import type { ViewContext } from '../../etches/view.ts';
import { readSubjects } from '../subjects.ts';
import type { DeliveryRow, WebhookRow } from './store.ts';

export async function eventViews(
  db: Queryable,
  events: readonly { id: string; type: EventType; record_id: string; at: string }[],
  now: number,
  context: ViewContext,
): Promise<EventView[]> {
  const recordsOf = (isWanted: (type: EventType) => boolean): string[] =>
    events.filter(({ type }) => isWanted(type)).map((event) => event.record_id);
  const wanted = {
    etches: recordsOf((type) => type !== 'challenge.closed'),
    challenges: recordsOf((type) => type === 'challenge.closed'),
    resolutions: recordsOf(isResolved),
  };
  const { etches, challenges, targets } = await readSubjects(db, wanted, now, context);
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
