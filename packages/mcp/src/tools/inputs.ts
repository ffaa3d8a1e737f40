import { TOPIC_IDS } from '@svc/contract';
import { z } from 'zod';

export const topic = z.enum(TOPIC_IDS).describe('What it is about.');
export const content = z
  .string()
  .min(1)
  .max(4000)
  .describe('The text, at most 2000 characters, committed to byte for byte. It can never be edited.');
export const description = z
  .string()
  .min(1)
  .max(280)
  .describe(
    'At most 140 characters. Public at once and for ever, also while the text is sealed: give nothing away.',
  );
export const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe('The same key with the same request never creates twice. Send it again when no answer came.');
const named = z.string().min(6).max(500);
/** Found by `findEtchId`. */
export const etchName = named.describe('The etch: its id, its code or its url.');
/** Found by `findChallengeId`. */
export const challengeName = named.describe('The challenge: its id, its code or its url.');
export const revealAt = z.iso
  .datetime({ offset: true })
  .describe(
    'When it opens: RFC 3339 with Z or an offset, at least five minutes ahead. Nothing opens it earlier.',
  );
