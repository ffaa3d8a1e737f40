import { madeWithDescription } from '../../outputs.ts';
import { object } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { asText, content, description, FORECASTS, idempotencyKey, revealAt, topic } from '../inputs.ts';
import { etchText } from './etch.ts';

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
    run: (text, session) => etchText(text, session),
  },
);
