import { TOPIC_IDS } from '@svc/contract';
import { parseDateTime } from '@svc/protocol';
import { z } from 'zod';

export const topic = z.enum(TOPIC_IDS).describe('The topic.');
export const content = z
  .string()
  .min(1)
  .max(4000)
  .describe('The text, at most 2000 characters, committed byte for byte. It can never be edited.');
export const description = z
  .string()
  .min(1)
  .max(280)
  .describe(
    'At most 140 characters. Public at once and for ever, even while the text is sealed: reveal nothing of the text.',
  );
export const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe(
    'A retry with the same key and request creates nothing twice. Send the same key again if no answer came.',
  );
export const pageNumber = z.number().int().min(1).max(100_000).optional().describe('From 1.');
const named = z.string().min(6).max(500);
/** Found by `findEtchId`. */
export const etchName = named.describe('The etch’s id, code or url.');
/** Found by `findChallengeId`. */
export const challengeName = named.describe('The challenge’s id, code or url.');
export const revealAt = z
  .string()
  .refine((text) => parseDateTime(text) !== null, 'give RFC 3339 with Z or an offset: 2030-01-31T12:00:00Z')
  .meta({ format: 'date-time' })
  .describe(
    'The time at which it opens: RFC 3339 with Z or an offset, at least five minutes ahead. The service does not open it earlier.',
  );
export const asText = z
  .boolean()
  .optional()
  .describe(
    'Etch the content as plain text, even if it begins like a forecast and is malformed, or does not fit the question.',
  );
/** For descriptions of tools that etch a text outside challenges. */
export const FORECASTS =
  'A forecast is svc-forecast:v1 yes=0.72 on the first line, or svc-forecast:v1 red=0.4 blue=0.6, or quantiles: svc-forecast:v1 q10=3 q50=5 q90=9; your reasoning follows below. ' +
  'A malformed one is rejected unless as_text is true.';
