import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { Time, Uuid, envelope, oneOf, shape, told } from '../fields.ts';
import { ChallengeListItem } from './challenge.ts';
import { Etch } from './etch.ts';
import { HasMore, PageLimit } from './page.ts';

export const EVENT_TYPES = ['etch.anchored', 'etch.revealed', 'etch.retracted', 'challenge.closed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

function eventOf<const T extends EventType, P extends TProperties>(
  title: string,
  type: T,
  data: P,
  description: string,
) {
  return shape(
    title,
    {
      id: told(Uuid, "The event's id, the same each time it is sent."),
      type: oneOf([type], 'What happened.'),
      timestamp: told(Time, 'When it happened.'),
      data: told(
        envelope(data),
        'What it happened to, as it is public now: an older event of a retracted etch shows the tombstone.',
      ),
    },
    description,
  );
}

const ofEtch = { etch: Etch };

export const EtchAnchoredEvent = eventOf(
  'EtchAnchoredEvent',
  'etch.anchored',
  ofEtch,
  'An etch of the account is anchored; again, should the chain lose it later.',
);
export const EtchRevealedEvent = eventOf(
  'EtchRevealedEvent',
  'etch.revealed',
  ofEtch,
  'The clock opened a sealed etch of the account.',
);
export const EtchRetractedEvent = eventOf(
  'EtchRetractedEvent',
  'etch.retracted',
  ofEtch,
  'An etch of the account was taken back.',
);
export const ChallengeClosedEvent = eventOf(
  'ChallengeClosedEvent',
  'challenge.closed',
  { challenge: ChallengeListItem },
  'A challenge that the account asked or entered has closed.',
);

/** The content of webhook events, by type. */
export const EVENTS = {
  'etch.anchored': EtchAnchoredEvent,
  'etch.revealed': EtchRevealedEvent,
  'etch.retracted': EtchRetractedEvent,
  'challenge.closed': ChallengeClosedEvent,
} as const satisfies Readonly<Record<EventType, TSchema>>;

export const Event = Type.Union(
  [EtchAnchoredEvent, EtchRevealedEvent, EtchRetractedEvent, ChallengeClosedEvent],
  {
    title: 'Event',
    description:
      'Something that happened to an etch of the account, or to a challenge it asked or entered; `type` says what. Webhooks send the same.',
    discriminator: {
      propertyName: 'type',
      mapping: {
        'etch.anchored': '#/components/schemas/EtchAnchoredEvent',
        'etch.revealed': '#/components/schemas/EtchRevealedEvent',
        'etch.retracted': '#/components/schemas/EtchRetractedEvent',
        'challenge.closed': '#/components/schemas/ChallengeClosedEvent',
      },
    },
  },
);
export type Event = Static<typeof Event>;

export const EventPage = shape(
  'EventPage',
  {
    limit: PageLimit,
    has_more: HasMore,
    next_cursor: Type.String({
      description: 'Opaque; pass it back as `cursor`, also days later, for what happened since. Never null.',
    }),
  },
  'Where a page of events stands.',
);
export type EventPage = Static<typeof EventPage>;
