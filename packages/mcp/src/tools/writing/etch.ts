import { object } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { madeWithDescription, promiseKeyOf } from '../../outputs.ts';
import { refuseMalformed } from '../../malformed-words.ts';
import { descriptionWarning, splitEtch, untrustedNote, WARNING } from '../../untrusted.ts';
import { asText, content, description, FORECASTS, idempotencyKey, topic } from '../inputs.ts';

export const etch = writingTool(
  {},
  {
    name: 'etch',
    title: 'Etch a text',
    description:
      'Publishes a text for ever: hashed with the time, anchored on a public chain within a minute, never edited. To hide a text until a time, use seal. ' +
      FORECASTS,
    input: { content, description, topic, idempotency_key: idempotencyKey, as_text: asText },
    output: object(madeWithDescription),
    forAccount: true,
    async run({ content: text, description: words, topic: category_id, idempotency_key, as_text }, session) {
      refuseMalformed(text, null, as_text);
      const made = await session.client.etch(
        { content: text, description: words, category_id, mode: 'instant' },
        { sign: session.keyPair, idempotencyKey: idempotency_key },
      );
      return {
        warning: WARNING,
        description_warning: descriptionWarning(words, text),
        replayed: made.replayed,
        etch: splitEtch(made.etch, session.settings.drand),
        promise: made.promise,
        promise_key: promiseKeyOf(session.settings),
        ...untrustedNote(made.note),
      };
    },
  },
);
