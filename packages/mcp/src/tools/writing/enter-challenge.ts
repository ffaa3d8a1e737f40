import { findChallengeId } from '../../find-id.ts';
import { made as answer } from '../../outputs.ts';
import { object } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { splitEtch, WARNING } from '../../untrusted.ts';
import { challengeName, content, idempotencyKey } from '../inputs.ts';

export const enterChallenge = writingTool(
  {},
  {
    name: 'enter_challenge',
    title: 'Answer a challenge',
    description:
      'Seals an answer to a challenge until it closes. Each account answers once, and cannot answer anew.',
    input: { id: challengeName, content, idempotency_key: idempotencyKey },
    output: object(answer),
    forAccount: true,
    async run({ id: named, content: text, idempotency_key }, { client, keyPair, settings }) {
      const id = await findChallengeId(named, client);
      const { challenge: found } = await client.getChallenge(id);
      const made = await client.etch(
        { content: text, category_id: found.category.id, mode: 'delayed', challenge_id: id },
        { sign: keyPair, idempotencyKey: idempotency_key },
      );
      return {
        warning: WARNING,
        replayed: made.replayed,
        etch: splitEtch(made.etch, settings.drand),
        promise: made.promise,
      };
    },
  },
);
