import { CreatedChallenge } from '@svc/contract';
import { z } from 'zod';
import { challengeMade } from '../../outputs.ts';
import { fieldsOf, object, omit, pick } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';
import { idempotencyKey, revealAt, topic } from '../inputs.ts';

const challenge = fieldsOf(CreatedChallenge);

export const askChallenge = writingTool(
  {},
  {
    name: 'ask_challenge',
    title: 'Ask a challenge',
    description:
      'Asks a public question. Answers are sealed, and all of them open together at reveal_at. ' +
      'For answers that are scored as forecasts, end the question with [yes|no], [red|green|blue] or [number: mm]. Otherwise answers are texts.',
    input: {
      question: z.string().min(1).max(560).describe('At most 280 characters.'),
      topic,
      reveal_at: revealAt,
      idempotency_key: idempotencyKey,
    },
    output: object({
      ...challengeMade,
      challenge: object({
        facts: object(omit(challenge, 'question')),
        untrusted: object(pick(challenge, 'question')),
      }),
    }),
    forAccount: true,
    async run({ question: asked, topic: category_id, reveal_at, idempotency_key }, { client }) {
      const { challenge: made, replayed } = await client.createChallenge(
        { question: asked, category_id, reveal_at },
        { idempotencyKey: idempotency_key },
      );
      const { question, ...facts } = made;
      return { warning: WARNING, replayed, challenge: { facts, untrusted: { question } } };
    },
  },
);
