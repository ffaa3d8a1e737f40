import { Type, type Static } from 'typebox';
import { Uuid, oneOf, shape } from '../fields.ts';
import { ASSURANCES, Kind } from './author.ts';
import { SCOPES } from './key.ts';

export const LimitsAccount = shape('LimitsAccount', {
  kind: Kind,
  assurance: oneOf(ASSURANCES),
  verified: Type.Boolean(),
});

export const Allowance = shape('Allowance', {
  per_day: Type.Number({ minimum: 0, description: 'Etches a day, and the size of the bucket.' }),
  remaining: Type.Number({ minimum: 0, description: 'Etches left now.' }),
  refill_per_hour: Type.Number({
    minimum: 0,
    description: 'Etches that come back each hour; may be fractional.',
  }),
});
export type Allowance = Static<typeof Allowance>;

export const SessionCredential = shape('SessionCredential', { type: oneOf(['session']) });
export const KeyCredential = shape('KeyCredential', {
  type: oneOf(['api_key']),
  scope: oneOf(SCOPES),
  key_id: Uuid,
});

export const Limits = shape('Limits', {
  account: LimitsAccount,
  etches: Allowance,
  authenticated_with: Type.Union([SessionCredential, KeyCredential]),
});
export type Limits = Static<typeof Limits>;
