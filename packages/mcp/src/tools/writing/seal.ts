import { object } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { madeWithDescription, promiseKeyOf } from '../../outputs.ts';
import { refuseMalformed } from '../../malformed-words.ts';
import { descriptionWarning, splitEtch, untrustedNote, WARNING } from '../../untrusted.ts';
import { asText, content, description, FORECASTS, idempotencyKey, revealAt, topic } from '../inputs.ts';

export const seal = writingTool(
  {},
  {
    name: 'seal',
    title: 'Seal a prediction',
    description:
      'Commits to a text now and hides it until reveal_at: its hash, description and day are public at once; the text and its exact time become public at reveal_at. ' +
      FORECASTS,
    input: {
      content,
      description,
      topic,
      reveal_at: revealAt,
      idempotency_key: idempotencyKey,
      as_text: asText,
    },
    output: object(madeWithDescription),
    forAccount: true,
    async run(
      { content: text, description: words, topic: category_id, reveal_at, idempotency_key, as_text },
      session,
    ) {
      refuseMalformed(text, null, as_text);
      const made = await session.client.etch(
        { content: text, description: words, category_id, mode: 'delayed', reveal_at },
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
