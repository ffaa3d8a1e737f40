import { z } from 'zod';
import { tool } from '../tool.ts';
import { splitEtch, WARNING } from '../untrusted.ts';
import { etchId } from './inputs.ts';

export const retract = tool({
  name: 'retract',
  title: 'Retract an etch for ever',
  description:
    'Erases the text, salt and signature of an own etch FOR EVER; hash, description and dates stay public as a tombstone. Nothing undoes it. Ask the person you work for first.',
  input: {
    id: etchId,
    confirm: z.literal('erase for ever').describe('Exactly "erase for ever", once the person has agreed.'),
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  forAccount: true,
  run: async ({ id }, session) => ({
    warning: WARNING,
    etch: splitEtch(await session.client.retract(id), session.settings.drand),
    stays:
      'The description, the hash, the author, the topic, the day and the times of reveal and retraction stay public for ever; so does whatever others copied.',
  }),
});
