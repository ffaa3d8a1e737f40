import { Type, type Static } from 'typebox';
import { Time, Uuid, envelope, oneOf, shape } from '../fields.ts';
import { ChallengeListItem } from './challenge.ts';
import { Etch } from './etch.ts';
import { LIMIT_MAX } from './page.ts';

export const EVENT_TYPES = ['etch.anchored', 'etch.revealed', 'etch.retracted', 'challenge.closed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const Event = shape(
  'Event',
  {
    id: Uuid,
    type: oneOf(EVENT_TYPES),
    timestamp: Time,
    data: Type.Union([envelope({ etch: Etch }), envelope({ challenge: ChallengeListItem })], {
      description:
        'The etch, or the challenge, as it is public now: an older event of a retracted etch shows the tombstone.',
    }),
  },
  'Something that happened to an etch of the account, or to a challenge it asked or entered. Webhooks send the same.',
);
export type Event = Static<typeof Event>;

export const EventPage = shape('EventPage', {
  limit: Type.Integer({ minimum: 1, maximum: LIMIT_MAX }),
  has_more: Type.Boolean(),
  next_cursor: Type.String({
    description: 'Opaque; pass it back as `cursor`, also days later, for what happened since. Never null.',
  }),
});
export type EventPage = Static<typeof EventPage>;
