import type { Static, TProperties, TUnsafe } from 'typebox';
import { Time, Uuid, envelope, oneKind, oneOf, shape, text, doc } from '../fields.ts';
import { ChallengeListItem } from './challenge.ts';
import { Etch } from './etch.ts';
import { HasMore, PageLimit } from './page.ts';

function eventOf<const T extends string, P extends TProperties>(type: T, description: string, data: P) {
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

/** Every list of event types derives from this table. */
export const EVENTS = {
  'etch.anchored': eventOf(
    'etch.anchored',
    'An etch of the account was anchored. Sent again if the chain loses it and it is anchored anew.',
    ofEtch,
  ),
  'etch.revealed': eventOf('etch.revealed', 'A sealed etch of the account reached its reveal time.', ofEtch),
  'etch.retracted': eventOf(
    'etch.retracted',
    'An etch of the account was retracted, or the operator took it down.',
    ofEtch,
  ),
  'etch.resolved': eventOf(
    'etch.resolved',
    'A forecast of the account outside challenges was resolved. The resolution is attested.',
    { ...ofEtch, resolution: Etch },
  ),
  'challenge.closed': eventOf(
    'challenge.closed',
    'A challenge that the account created or answered has closed.',
    { challenge: ChallengeListItem },
  ),
  'challenge.resolved': eventOf(
    'challenge.resolved',
    'A challenge that the account answered was resolved. The resolution is attested.',
    { challenge: ChallengeListItem, resolution: Etch },
  ),
} as const;
export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

export type Event = { [T in EventType]: Static<(typeof EVENTS)[T]> }[EventType];

export const Event = oneKind(
  'Event',
  'An event about an etch of the account, or about a challenge that it created or answered. Webhooks send the same object.',
  'type',
  Object.values(EVENTS),
) as unknown as TUnsafe<Event>;

export const EventPage = shape('EventPage', 'The position of a page of events.', {
  limit: PageLimit,
  has_more: HasMore,
  next_cursor: text('Opaque. Pass it as `cursor`, even days later, to read what happened since. Never null.'),
});
