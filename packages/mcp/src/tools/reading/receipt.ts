import { Receipt } from '@svc/contract';
import { findEtchId } from '../../find-id.ts';
import { warning } from '../../outputs.ts';
import { object, text } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';
import { etchName } from '../inputs.ts';

export const receipt = readingTool({
  name: 'receipt',
  title: 'Download the receipt of an etch',
  description:
    'Returns the file with which anyone can check an etch against the chain, even without this service. Store it unchanged from the text of this answer: ' +
    'svc verify checks it. For a proof that needs no node, use evidence.',
  input: { id: etchName },
  output: object({
    warning,
    keep: text('What to do with the receipt.'),
    untrusted: object({ receipt: Receipt }),
  }),
  async run({ id }, { client }) {
    const found = await client.receipt(await findEtchId(id, client));
    return { warning: WARNING, keep: keepWhen(found.inclusion !== null), untrusted: { receipt: found } };
  },
});

const keepWhen = (anchored: boolean): string =>
  anchored
    ? 'It verifies without this service. After a retraction, download it again.'
    : 'The etch is not anchored yet, so this receipt proves nothing: download it again later.';
