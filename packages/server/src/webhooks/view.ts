import type { Delivery, EventType, Event as EventView, Webhook } from '@svc/contract';
import { findChallenges } from '../challenges/store.ts';
import { challengeListItem } from '../challenges/view.ts';
import type { Queryable } from '../db/db.ts';
import { findEtches } from '../etches/store.ts';
import { etchView, type ViewContext } from '../etches/view.ts';
import type { DeliveryRow, WebhookRow } from './store.ts';

export interface StoredEvent {
  id: string;
  type: EventType;
  record_id: string;
  at: string;
}

/** Events with their records as public at `now`, always read from the tables and serialized in the one way. */
export async function eventViews(
  db: Queryable,
  events: readonly StoredEvent[],
  now: number,
  context: ViewContext,
): Promise<EventView[]> {
  const idsOf = (aboutChallenges: boolean) => [
    ...new Set(
      events.filter((event) => isAboutChallenge(event) === aboutChallenges).map((event) => event.record_id),
    ),
  ];
  const etchIds = idsOf(false);
  const etches = new Map(
    (etchIds.length > 0 ? await findEtches(db, etchIds) : []).flatMap((row) =>
      row ? [[row.id, etchView(row, now, context)] as const] : [],
    ),
  );
  const challenges = new Map(
    (await findChallenges(db, idsOf(true))).flatMap((row) =>
      row ? [[row.id, challengeListItem(row, now, context)] as const] : [],
    ),
  );
  const of = (event: StoredEvent, data: object) =>
    ({ id: event.id, type: event.type, timestamp: event.at, data }) as EventView;
  return events.flatMap((event) => {
    const challenge = challenges.get(event.record_id);
    const etch = etches.get(event.record_id);
    if (isAboutChallenge(event)) return challenge ? [of(event, { challenge })] : [];
    return etch ? [of(event, { etch })] : [];
  });
}

const isAboutChallenge = ({ type }: StoredEvent): boolean => type.startsWith('challenge.');

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
