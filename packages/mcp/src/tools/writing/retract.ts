import { z } from 'zod';
import { findEtchId } from '../../find-id.ts';
import { changed } from '../../outputs.ts';
import { object, text } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { splitEtch, WARNING } from '../../untrusted.ts';
import { etchName } from '../inputs.ts';

export const retract = writingTool(
  { destructive: true },
  {
    name: 'retract',
    title: 'Retract an etch for ever',
    description:
      'Erases the text, salt and signature of an own etch FOR EVER; hash, description and dates stay public as a tombstone. Nothing undoes it. Ask the person you work for first.',
    input: {
      id: etchName,
      confirm: z.literal('erase for ever').describe('Exactly "erase for ever", once the person has agreed.'),
    },
    output: object({ ...changed, stays: text('What a retraction does not take away.') }),
    forAccount: true,
    run: async ({ id }, session) => ({
      warning: WARNING,
      etch: splitEtch(
        await session.client.retract(await findEtchId(id, session.client)),
        session.settings.drand,
      ),
      stays:
        'The description, the hash, the author, the topic, the day and the times of reveal and retraction stay public for ever; so does whatever others copied.',
    }),
  },
);
