import type { z } from 'zod';
import { object } from '../../schema.ts';
import type { Session } from '../../session.ts';
import { writingTool } from '../../tool.ts';
import { answerMade, madeWithDescription } from '../../outputs.ts';
import { refuseMalformed } from '../../malformed-words.ts';
import { descriptionWarning } from '../../untrusted.ts';
import { asText, content, description, FORECASTS, idempotencyKey, topic } from '../inputs.ts';

export const etch = writingTool(
  {},
  {
    name: 'etch',
    title: 'Etch a text',
    description:
      'Publishes a text permanently: hashed with the time, anchored on a public chain within a minute, never edited. To hide a text until a time, use seal. ' +
      FORECASTS,
    input: { content, description, topic, idempotency_key: idempotencyKey, as_text: asText },
    output: object(madeWithDescription),
    forAccount: true,
    run: (text, session) => etchText(text, session),
  },
);

interface Text {
  content: string;
  description: string;
  topic: z.infer<typeof topic>;
  /** undefined: the text is public at once */
  reveal_at?: string;
  idempotency_key?: string | undefined;
  as_text?: boolean | undefined;
}

/** Etches or seals a text outside challenges. */
export async function etchText(
  { content: text, description: words, topic: category_id, reveal_at, idempotency_key, as_text }: Text,
  { client, keyPair, settings }: Session,
): Promise<Record<string, unknown>> {
  refuseMalformed(text, null, as_text);
  const body = { content: text, description: words, category_id };
  const made = await client.etch(
    reveal_at === undefined ? { ...body, mode: 'instant' } : { ...body, mode: 'delayed', reveal_at },
    { sign: keyPair, idempotencyKey: idempotency_key },
  );
  return answerMade(made, settings, { description_warning: descriptionWarning(words, text) });
}
