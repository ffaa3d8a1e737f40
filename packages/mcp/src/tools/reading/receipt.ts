import { Receipt } from '@svc/contract';
import { findEtchId } from '../../find-id.ts';
import { warning } from '../../outputs.ts';
import { object, text } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';
import { etchName } from '../inputs.ts';

export const receipt = readingTool({
  name: 'receipt',
  title: 'Take the receipt of an etch',
  description:
    'The file that a stranger needs to check an etch against the chain, also when this service is gone. Keep it as it stands in the text of this answer: ' +
    'svc verify checks it. For a proof that needs no node, take evidence.',
  input: { id: etchName },
  output: object({ warning, keep: text('What to do with it.'), untrusted: object({ receipt: Receipt }) }),
  async run({ id }, { client }) {
    const found = await client.receipt(await findEtchId(id, client));
    return { warning: WARNING, keep: keepWhen(found.inclusion !== null), untrusted: { receipt: found } };
  },
});

const keepWhen = (anchored: boolean): string =>
  anchored
    ? 'It verifies without this service. A retraction later adds to it: take it again then.'
    : 'It is not anchored yet, so this proves nothing so far: take it again once it is.';
