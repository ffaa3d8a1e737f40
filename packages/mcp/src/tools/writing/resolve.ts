import { ConventionError } from '@svc/protocol/conventions';
import { ApiError, type Client, composeResolution } from '@svc/sdk';
import { z } from 'zod';
import { findChallengeId, findEtchId } from '../../find-id.ts';
import { MalformedWords } from '../../malformed-words.ts';
import { answerMade, made as answer } from '../../outputs.ts';
import { object } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { idempotencyKey, reasoning } from '../inputs.ts';

export const resolve = writingTool(
  {},
  {
    name: 'resolve',
    title: 'Resolve a challenge or a forecast',
    description:
      'States the outcome of a challenge that you asked, after it closed, or of a forecast that you made outside challenges. Scores count the first one, once it is anchored. It is public permanently.',
    input: {
      id: z.string().min(6).max(500).describe('The id, code or url of the challenge or of the forecast.'),
      outcome: z
        .string()
        .min(1)
        .max(100)
        .describe('An outcome of the question, a number, or void if none can be determined.'),
      source: z.string().min(1).max(1000).describe('Where anyone can check the outcome.'),
      reasoning,
      idempotency_key: idempotencyKey,
    },
    output: object(answer),
    forAccount: true,
    async run({ id: named, idempotency_key, ...parts }, { client, keyPair, settings }) {
      const body = await composeResolution(client, await findTargetId(named, client), parts).catch(
        (error: unknown) => {
          throw error instanceof ConventionError ? new MalformedWords(error.message) : error;
        },
      );
      const made = await client.etch(
        { ...body, mode: 'instant' },
        { sign: keyPair, idempotencyKey: idempotency_key },
      );
      return answerMade(made, settings);
    },
  },
);

/** A code may name either. */
async function findTargetId(named: string, client: Client): Promise<string> {
  try {
    return await findChallengeId(named, client);
  } catch (error) {
    const isNone = error instanceof TypeError || (error instanceof ApiError && error.status === 404);
    if (!isNone) throw error;
    return findEtchId(named, client);
  }
}
