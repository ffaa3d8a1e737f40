import { tool } from '../tool.ts';
import { splitEtch, WARNING } from '../untrusted.ts';
import { etchId } from './inputs.ts';

export const reveal = tool({
  name: 'reveal',
  title: 'Write a due reveal',
  description:
    'Writes the reveal of an own etch whose reveal_at has passed. Readers see it by the clock anyway; nothing opens before its time (422).',
  input: { id: etchId },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  forAccount: true,
  run: async ({ id }, session) => ({
    warning: WARNING,
    etch: splitEtch(await session.client.reveal(id), session.settings.drand),
  }),
});
