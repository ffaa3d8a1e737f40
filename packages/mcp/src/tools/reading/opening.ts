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
  title: 'Download the opening of a sealed etch',
  description:
    'For your own sealed etch: returns a file with its text, encrypted to the drand round at reveal_at. From then on anyone with the file can open it ' +
    'without the service (tool open, svc open). Keep it as secret as the text. It outlives a retraction, and nobody can test it before its time.',
  input: {
    id: etchName,
    chain: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'A drand chain other than quicknet, from a source that you trust: what its relay answers at /<hash>/info.',
      ),
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
