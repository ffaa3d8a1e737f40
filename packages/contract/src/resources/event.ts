import type { Static, TProperties, TUnsafe } from 'typebox';
import { Time, Uuid, envelope, oneKind, oneOf, shape, text, doc } from '../fields.ts';
import { ChallengeListItem } from './challenge.ts';
import { Etch } from './etch.ts';
import { HasMore, PageLimit } from './page.ts';

export type ExampleStatus = 'revealed' | 'retracted' | 'closed';

interface EventWords<P extends TProperties> {
  /** a sentence for people: when a webhook sends it */
  label: string;
  description: string;
  data: P;
  /** the status of each etch or challenge in the example of OpenAPI */
  example: Readonly<Record<keyof NoInfer<P>, ExampleStatus>>;
}

function eventOf<const T extends string, P extends TProperties>(type: T, words: EventWords<P>) {
  const { label, description, data, example } = words;
  const title = type.replaceAll(/(?:^|\.)([a-z])/g, (_, first: string) => first.toUpperCase());
  const schema = shape(`${title}Event`, description, {
    id: doc(Uuid, "The event's id, the same each time it is sent."),
    type: oneOf([type], 'What happened.'),
    timestamp: doc(Time, 'When it happened.'),
    data: doc(
      envelope(data),
      'The etch or challenge as it is public now. After a retraction, older events show the tombstone.',
    ),
  });
  return { label, schema, example };
}

const ofEtch = { etch: Etch };

/** Every list of event types derives from this table. A `resolution` in the data is the record of the event. */
export const EVENTS = {
  'etch.anchored': eventOf('etch.anchored', {
    label: 'An etch is anchored',
    description:
      'An etch of the account was anchored. Sent again if the chain loses it and it is anchored anew.',
    data: ofEtch,
    example: { etch: 'revealed' },
  }),
  'etch.revealed': eventOf('etch.revealed', {
    label: 'A sealed etch opens',
    description: 'A sealed etch of the account reached its reveal time.',
    data: ofEtch,
    example: { etch: 'revealed' },
  }),
  'etch.retracted': eventOf('etch.retracted', {
    label: 'An etch is retracted',
    description: 'An etch of the account was retracted, or the operator took it down.',
    data: ofEtch,
    example: { etch: 'retracted' },
  }),
  'etch.resolved': eventOf('etch.resolved', {
    label: 'Your own forecast is resolved',
    description: 'A forecast of the account outside challenges was resolved. The resolution is attested.',
    data: { ...ofEtch, resolution: Etch },
    example: { etch: 'revealed', resolution: 'revealed' },
  }),
  'challenge.closed': eventOf('challenge.closed', {
    label: 'A challenge closes',
    description: 'A challenge that the account created or answered has closed.',
    data: { challenge: ChallengeListItem },
    example: { challenge: 'closed' },
  }),
  'challenge.resolved': eventOf('challenge.resolved', {
    label: 'A challenge that you answered is resolved',
    description: 'A challenge that the account answered was resolved. The resolution is attested.',
    data: { challenge: ChallengeListItem, resolution: Etch },
    example: { challenge: 'closed', resolution: 'revealed' },
  }),
} as const;
export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

export type Event = { [T in EventType]: Static<(typeof EVENTS)[T]['schema']> }[EventType];

export const Event = oneKind(
  'Event',
  'An event about an etch of the account, or about a challenge that it created or answered. Webhooks send the same object.',
  'type',
  Object.values(EVENTS).map(({ schema }) => schema),
) as unknown as TUnsafe<Event>;

export const EventPage = shape('EventPage', 'The position of a page of events.', {
  limit: PageLimit,
  has_more: HasMore,
  next_cursor: text('Opaque. Pass it as `cursor`, even days later, to read what happened since. Never null.'),
});
