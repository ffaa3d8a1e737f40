import { ConventionError, forecastWords } from '@svc/protocol/conventions';
import { z } from 'zod';
import { MalformedWords } from '../../malformed-words.ts';
import { madeWithDescription } from '../../outputs.ts';
import { object } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { challengeName, description, idempotencyKey, reasoning, revealAt, topic } from '../inputs.ts';
import { enterChallenge } from './enter-challenge.ts';
import { etchText } from './etch.ts';

export const forecast = writingTool(
  {},
  {
    name: 'forecast',
    title: 'Make a forecast',
    description:
      'Etches a forecast that is scored once it is resolved. With challenge_id it answers that challenge. Otherwise give description and topic, and reveal_at to seal it; you resolve it later with resolve.',
    input: {
      forecast: z
        .string()
        .min(1)
        .max(4000)
        .describe(
          'Probabilities of the outcomes: yes=0.7, or red=0.4 blue=0.6. Or quantiles of a number: q10=3 q50=5 q90=9.',
        ),
      reasoning,
      challenge_id: challengeName.optional(),
      description: description.optional(),
      topic: topic.optional(),
      reveal_at: revealAt.optional(),
      idempotency_key: idempotencyKey,
    },
    output: object(madeWithDescription),
    forAccount: true,
    async run(
      { forecast: parts, reasoning: why, challenge_id, description, topic, reveal_at, ...how },
      session,
    ) {
      const content = wordsOf(parts, why);
      if (challenge_id !== undefined)
        return enterChallenge.run({ id: challenge_id, content, ...how }, session);
      if (description === undefined || topic === undefined)
        throw new TypeError('give challenge_id, or description and topic');
      const text = { content, description, topic, ...how };
      return etchText(reveal_at === undefined ? text : { ...text, reveal_at }, session);
    },
  },
);

/** @throws {MalformedWords} */
function wordsOf(parts: string, why: string | undefined): string {
  try {
    return forecastWords(parts.trim().split(/[\s,]+/), why);
  } catch (error) {
    throw error instanceof ConventionError ? new MalformedWords(error.message) : error;
  }
}
