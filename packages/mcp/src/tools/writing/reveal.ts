import { findEtchId } from '../../find-id.ts';
import { changed } from '../../outputs.ts';
import { object } from '../../schema.ts';
import { writingTool } from '../../tool.ts';
import { splitEtch, WARNING } from '../../untrusted.ts';
import { etchName } from '../inputs.ts';

export const reveal = writingTool(
  { idempotent: true },
  {
    name: 'reveal',
    title: 'Write a due reveal',
    description:
      'Writes the reveal of your own etch after its reveal_at. It is rarely needed: the etch opens by itself at reveal_at. Nobody can open it earlier (422).',
    input: { id: etchName },
    output: object(changed),
    forAccount: true,
    run: async ({ id }, session) => ({
      warning: WARNING,
      etch: splitEtch(
        await session.client.reveal(await findEtchId(id, session.client)),
        session.settings.drand,
      ),
    }),
  },
);
