import { OpeningFile } from '@svc/contract';
import { z } from 'zod';
import { findEtchId } from '../../find-id.ts';
import { namedChain } from '../../named-chain.ts';
import { fieldsOf, object, pick, text } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { etchName } from '../inputs.ts';

const output = object({
  ...pick(fieldsOf(OpeningFile), 'etch_id'),
  opens_with: object({ chain: text('The drand chain.'), round: fieldsOf(OpeningFile)['round']! }),
  secret: object({ opening: OpeningFile }),
});

export const opening = readingTool({
  name: 'opening',
  title: 'Take what opens a sealed etch without the service',
  description:
    'For a sealed etch of your own: a file with its text, encrypted to a round of a drand chain that comes at reveal_at. From then on whoever has the file opens it, ' +
    'and the service is not asked (tool open, svc open). Keep it as secret as the text. It outlives a retraction, and nobody can test it before its time.',
  input: {
    id: etchName,
    chain: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Another chain than quicknet, as you know it: what its /<hash>/info answers.'),
  },
  output,
  forAccount: true,
  async run({ id, chain }, { client }) {
    const file = await client.opening(await findEtchId(id, client), {
      chain: chain && namedChain(chain),
    });
    return {
      etch_id: file.etch_id,
      opens_with: { chain: file.chain_hash, round: file.round },
      secret: { opening: file },
    };
  },
});
