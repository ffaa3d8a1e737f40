import type { Static, TProperties } from 'typebox';
import { Time, Uuid, envelope, oneKind, oneOf, shape, text, doc } from '../fields.ts';
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

function eventOf<const T extends EventType, P extends TProperties>(type: T, description: string, data: P) {
  const title = type.replaceAll(/(?:^|\.)([a-z])/g, (_, first: string) => first.toUpperCase());
  return shape(`${title}Event`, description, {
    id: doc(Uuid, "The event's id, the same each time it is sent."),
    type: oneOf([type], 'What happened.'),
    timestamp: doc(Time, 'When it happened.'),
    data: doc(
      envelope(data),
      'The etch or challenge as it is public now. After a retraction, older events show the tombstone.',
    ),
  });
}

const ofEtch = { etch: Etch };

export const EtchAnchoredEvent = eventOf(
  'etch.anchored',
  'An etch of the account was anchored. Sent again if the chain loses it and it is anchored anew.',
  ofEtch,
);
export const EtchRevealedEvent = eventOf(
  'etch.revealed',
  'A sealed etch of the account reached its reveal time.',
  ofEtch,
);
export const EtchRetractedEvent = eventOf(
  'etch.retracted',
  'An etch of the account was retracted, or the operator took it down.',
  ofEtch,
);
export const EtchResolvedEvent = eventOf(
  'etch.resolved',
  'A forecast of the account outside challenges was resolved. The resolution is attested.',
  { ...ofEtch, resolution: Etch },
);
export const ChallengeClosedEvent = eventOf(
  'challenge.closed',
  'A challenge that the account created or answered has closed.',
  { challenge: ChallengeListItem },
);
export const ChallengeResolvedEvent = eventOf(
  'challenge.resolved',
  'A challenge that the account answered was resolved. The resolution is attested.',
  { challenge: ChallengeListItem, resolution: Etch },
);

export const Event = oneKind(
  'Event',
  'An event about an etch of the account, or about a challenge that it created or answered. Webhooks send the same object.',
  'type',
  [
    EtchAnchoredEvent,
    EtchRevealedEvent,
    EtchRetractedEvent,
    EtchResolvedEvent,
    ChallengeClosedEvent,
    ChallengeResolvedEvent,
  ],
);
export type Event = Static<typeof Event>;

export const EventPage = shape('EventPage', 'The position of a page of events.', {
  limit: PageLimit,
  has_more: HasMore,
  next_cursor: text('Opaque. Pass it as `cursor`, even days later, to read what happened since. Never null.'),
});
