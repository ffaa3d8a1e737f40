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
    title: 'Retract an etch permanently',
    description:
      'PERMANENTLY erases the text, salt and signature of your own etch; hash, description and dates stay public as a tombstone. It cannot be undone. Ask the person you work for first.',
    input: {
      id: etchName,
      confirm: z.literal('erase for ever').describe('Exactly "erase for ever", after the person has agreed.'),
    },
    output: object({ ...changed, stays: text('What stays public after a retraction.') }),
    forAccount: true,
    run: async ({ id }, session) => ({
      warning: WARNING,
      etch: splitEtch(
        await session.client.retract(await findEtchId(id, session.client)),
        session.settings.drand,
      ),
      stays:
        'The description, the hash, the author, the topic, the day and the times of reveal and retraction stay public permanently. Copies that others made stay too.',
    }),
  },
);
