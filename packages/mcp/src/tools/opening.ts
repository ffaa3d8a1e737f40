import { tool } from '../tool.ts';
import { etchId } from './inputs.ts';

export const opening = tool({
  name: 'opening',
  title: 'Take what opens a sealed etch without the service',
  description:
    'For a sealed etch of your own: a file with its text, encrypted to a round of a drand chain that comes at reveal_at. From then on whoever has the file opens it, ' +
    'and the service is not asked (tool open, svc open). Keep it as secret as the text. It outlives a retraction, and nobody can test it before its time.',
  input: { id: etchId },
  annotations: { readOnlyHint: true, openWorldHint: true },
  forAccount: true,
  async run({ id }, { client }) {
    const file = await client.opening(id);
    return {
      etch_id: file.etch_id,
      opens_with: { chain: file.chain_hash, round: file.round },
      secret: { opening: file },
    };
  },
});
