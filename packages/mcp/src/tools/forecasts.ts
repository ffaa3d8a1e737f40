import { ConventionError, forecastPairs, forecastWords } from '@svc/protocol/conventions';
import { MalformedWords } from '../untrusted.ts';
import { answerMade, DESCRIBED, MADE } from '../outputs.ts';
import { writingTool } from '../tool.ts';
import { challengeName, description, idempotencyKey, reasoning, revealAt, topic, words } from './inputs.ts';
import { enter } from './challenges.ts';
import { etchText } from './etches.ts';
import { ApiError, type Client, composeResolution } from '@svc/sdk';
import { findChallengeId, findEtchId } from '../find-id.ts';

export const forecast = writingTool({
  name: 'forecast',
  title: 'Make a forecast',
  description:
    'Etches a forecast that is scored once it is resolved. With challenge_id it answers that challenge. Otherwise give description and topic, and reveal_at to seal it; you resolve it later with resolve.',
  input: {
    forecast: words(4000).describe(
      'Probabilities of the outcomes: yes=0.7, or New York=0.4 Paris=0.6. Or quantiles of a number: q10=3 q50=5 q90=9.',
    ),
    reasoning,
    challenge_id: challengeName.optional(),
    description: description.optional(),
    topic: topic.optional(),
    reveal_at: revealAt.optional(),
    idempotency_key: idempotencyKey,
  },
  output: DESCRIBED,
  forAccount: true,
  async run(
    { forecast: parts, reasoning: why, challenge_id, description, topic, reveal_at, ...how },
    session,
  ) {
    const content = wordsOf(parts, why);
    if (challenge_id !== undefined) return enter({ id: challenge_id, content, ...how }, session);
    if (description === undefined || topic === undefined)
      throw new TypeError('give challenge_id, or description and topic');
    const text = { content, description, topic, ...how };
    return etchText(reveal_at === undefined ? text : { ...text, reveal_at }, session);
  },
});

/** @throws {MalformedWords} */
function wordsOf(parts: string, why: string | undefined): string {
  try {
    return forecastWords(forecastPairs(parts.replace(/[\s,]+/g, ' ')), why);
  } catch (error) {
    throw error instanceof ConventionError ? new MalformedWords(error.message) : error;
  }
}

export const resolve = writingTool({
  name: 'resolve',
  title: 'Resolve a challenge or a forecast',
  description:
    'States the outcome of a challenge that you asked, after it closed, or of a forecast that you made outside challenges. Scores count the first one, once it is anchored. It is public permanently.',
  input: {
    id: words(500, 6).describe('The id, code or url of the challenge or of the forecast.'),
    outcome: words(100).describe('An outcome of the question, a number, or void if none can be determined.'),
    source: words(1000).describe('Where anyone can check the outcome.'),
    reasoning,
    idempotency_key: idempotencyKey,
  },
  output: MADE,
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
});

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
