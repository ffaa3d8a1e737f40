import { Type } from 'typebox';
import { integerField, looseTextField, request, text } from '../fields.ts';
import { ETCH_STATUSES } from '../resources/etch.ts';
import { TOPIC_IDS } from '../topics.ts';

export const IDEMPOTENCY_KEY_MAX = 255;

export const IdempotencyHeaders = request({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_MAX,
      description:
        'Makes a retry safe: the same key with the same request returns the original record and uses no allowance. Keys belong to the account and never expire.',
    }),
  ),
});

/** A malformed id gets 404 like an unknown one. */
export const idParams = (what: string) =>
  request({
    id: Type.String({
      description: `The ${what}'s id, a UUID.`,
      'x-shown-as': { type: 'string', format: 'uuid' },
    }),
  });

/** An invalid round gets 404 like an unknown one. */
export const beaconParams = request({
  chain: Type.String({
    description: "The drand chain's hash.",
    'x-shown-as': { type: 'string', pattern: '^[0-9a-f]{64}$' },
  }),
  round: Type.String({
    description: "The round's number.",
    'x-shown-as': { type: 'integer', minimum: 1, maximum: 9_999_999_999 },
  }),
});

export const usernameParams = request({ username: text("The account's username.") });

// An unknown word means the default.
export const sortField = (values: readonly string[], fallback: string) =>
  looseTextField(`One of ${values.map((value) => `\`${value}\``).join(', ')}; ${fallback}.`);

export const pageField = integerField('The page, from 1; a page has 30 items.', 999_999_999);
export const limitField = integerField('Items on a page.', 100);
export const cursorField = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: '^[!-~]+$',
  'x-message': 'is not a cursor of this list',
  description: '`next_cursor` of the page before.',
});

export const categoriesField = looseTextField(`Topic ids, comma-separated: ${TOPIC_IDS.join(', ')}.`);
export const statusesField = looseTextField(`Comma-separated: ${ETCH_STATUSES.join(', ')}.`);

export const cursorQuery = { limit: Type.Optional(limitField), cursor: Type.Optional(cursorField) };
