import { TOPIC_IDS } from '@svc/contract';
import { parseDateTime } from '@svc/protocol';
import { z } from 'zod';

export const words = (most: number, least = 1) => z.string().min(least).max(most);
export const topic = z.enum(TOPIC_IDS);
export const content = words(4000).describe(
  'The text, at most 2000 characters, committed byte for byte. It can never be edited.',
);
export const description = words(280).describe(
  'At most 140 characters. Public at once and permanently: reveal nothing of a sealed text.',
);
/** Inputs of every etch outside challenges. */
export const TERMS = { description, topic };

/** The fields of the request that creates the etch. */
export const termsOf = ({ topic: category_id, ...given }: z.infer<z.ZodObject<typeof TERMS>>) => ({
  ...given,
  category_id,
});

export const idempotencyKey = words(255)
  .optional()
  .describe('A retry with the same string creates nothing twice.');
export const reasoning = z.string().max(3900).optional().describe('The reason, in the lines below.');
const USERNAME = /^[a-z0-9_]{3,70}$/;
export const username = z.string().regex(USERNAME).describe('Without @.');
export const cursor = z.string().max(1024).optional().describe('next_cursor of the previous page.');
export const limit = z.number().int().min(1).max(50).optional().describe('Default: 10.');
export const pageNumber = z.number().int().min(1).max(100_000).optional().describe('From 1.');
const named = words(500, 6);
export const etchName = named.describe('The etch’s id, code or url.');
export const challengeName = named.describe('The challenge’s id, code or url.');
export const hex = (digits: number, before = '') =>
  z.string().regex(new RegExp(`^${before}[0-9a-f]{${digits}}$`, 'i'));
export const time = z
  .string()
  .refine((text) => parseDateTime(text) !== null, 'give RFC 3339 with Z or an offset: 2030-01-31T12:00:00Z')
  .meta({ format: 'date-time' });
export const revealAt = time.describe(
  'When it opens: RFC 3339 with Z or an offset, at least five minutes ahead.',
);
export const asText = z
  .boolean()
  .optional()
  .describe('True: etch it as plain text if it is no valid forecast for the question.');
export const FORECASTS = 'For a forecast, use the tool forecast.';
