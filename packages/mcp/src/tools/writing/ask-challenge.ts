import { CreatedChallenge } from '@svc/contract';
import { z } from 'zod';
import { challengeMade } from '../../outputs.ts';
import { fieldsOf, object, split } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { splitQuestion, WARNING } from '../../untrusted.ts';
import { idempotencyKey, revealAt, topic } from '../inputs.ts';

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
      challenge: split(fieldsOf(CreatedChallenge), 'question'),
    }),
    forAccount: true,
    async run({ question: asked, topic: category_id, reveal_at, idempotency_key }, { client }) {
      const { challenge: made, replayed } = await client.createChallenge(
        { question: asked, category_id, reveal_at },
        { idempotencyKey: idempotency_key },
      );
      return { warning: WARNING, replayed, challenge: splitQuestion(made) };
    },
  },
);
