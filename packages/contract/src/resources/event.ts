import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { Time, Uuid, envelope, oneOf, shape, told } from '../fields.ts';
import { ChallengeListItem } from './challenge.ts';
import { Etch } from './etch.ts';
import { HasMore, PageLimit } from './page.ts';

export const EVENT_TYPES = [
  'etch.anchored',
  'etch.revealed',
  'etch.retracted',
  'etch.resolved',
  'challenge.closed',
  'challenge.resolved',
] as const;
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
        'The etch or challenge as it is public now. After a retraction, older events show the tombstone.',
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
  'An etch of the account was anchored. Sent again if the chain loses it and it is anchored anew.',
);
export const EtchRevealedEvent = eventOf(
  'EtchRevealedEvent',
  'etch.revealed',
  ofEtch,
  'A sealed etch of the account reached its reveal time.',
);
export const EtchRetractedEvent = eventOf(
  'EtchRetractedEvent',
  'etch.retracted',
  ofEtch,
  'An etch of the account was retracted, or the operator took it down.',
);
export const ChallengeClosedEvent = eventOf(
  'ChallengeClosedEvent',
  'challenge.closed',
  { challenge: ChallengeListItem },
  'A challenge that the account created or answered has closed.',
);

export const EtchResolvedEvent = eventOf(
  'EtchResolvedEvent',
  'etch.resolved',
  { ...ofEtch, resolution: Etch },
  'A forecast of the account outside challenges was resolved. The resolution is attested.',
);
export const ChallengeResolvedEvent = eventOf(
  'ChallengeResolvedEvent',
  'challenge.resolved',
  { challenge: ChallengeListItem, resolution: Etch },
  'A challenge that the account answered was resolved. The resolution is attested.',
);

export const EVENTS = {
  'etch.anchored': EtchAnchoredEvent,
  'etch.revealed': EtchRevealedEvent,
  'etch.retracted': EtchRetractedEvent,
  'etch.resolved': EtchResolvedEvent,
  'challenge.closed': ChallengeClosedEvent,
  'challenge.resolved': ChallengeResolvedEvent,
} as const satisfies Readonly<Record<EventType, TSchema>>;

export const Event = Type.Union(
  [
    EtchAnchoredEvent,
    EtchRevealedEvent,
    EtchRetractedEvent,
    EtchResolvedEvent,
    ChallengeClosedEvent,
    ChallengeResolvedEvent,
  ],
  {
    title: 'Event',
    description:
      'An event about an etch of the account, or about a challenge that it created or answered. Webhooks send the same object.',
    discriminator: {
      propertyName: 'type',
      mapping: {
        'etch.anchored': '#/components/schemas/EtchAnchoredEvent',
        'etch.revealed': '#/components/schemas/EtchRevealedEvent',
        'etch.retracted': '#/components/schemas/EtchRetractedEvent',
        'etch.resolved': '#/components/schemas/EtchResolvedEvent',
        'challenge.closed': '#/components/schemas/ChallengeClosedEvent',
        'challenge.resolved': '#/components/schemas/ChallengeResolvedEvent',
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
      description: 'Opaque. Pass it as `cursor`, even days later, to read what happened since. Never null.',
    }),
  },
  'The position of a page of events.',
);
export type EventPage = Static<typeof EventPage>;
