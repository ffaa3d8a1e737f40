import { findChallengeId } from '../../find-id.ts';
import { answerMade, made as answer } from '../../outputs.ts';
import { object } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { refuseMalformed } from '../../malformed-words.ts';
import { asText, challengeName, content, idempotencyKey } from '../inputs.ts';

export const enterChallenge = writingTool(
  {},
  {
    name: 'enter_challenge',
    title: 'Answer a challenge',
    description:
      'Seals an answer to a challenge until it closes. Each account can answer once and cannot change its answer. ' +
      'The end of the question states the form of an answer. [yes|no] and [red|green|blue] ask for probabilities: svc-forecast:v1 yes=0.72, svc-forecast:v1 red=0.4 blue=0.6. ' +
      '[number: mm] asks for quantiles in that unit: svc-forecast:v1 q10=3 q50=5 q90=9. The forecast is the first line; your reasoning follows below. Every other question asks for a text. ' +
      'An answer in any other form has no score; it is rejected unless as_text is true.',
    input: { id: challengeName, content, idempotency_key: idempotencyKey, as_text: asText },
    output: object(answer),
    forAccount: true,
    async run({ id: named, content: text, idempotency_key, as_text }, { client, keyPair, settings }) {
      const id = await findChallengeId(named, client);
      const { question, category, reveal_at } = (await client.getChallenge(id)).challenge;
      refuseMalformed(text, question, as_text);
      const made = await client.etch(
        { content: text, category_id: category.id, mode: 'delayed', challenge_id: id },
        {
          sign: keyPair,
          idempotencyKey: idempotency_key,
          challenge: { question, topic: category.id, reveal_at },
        },
      );
      return answerMade(made, settings);
    },
  },
);
