import { z } from 'zod';
import { orBadInput } from '../bad-input.ts';
import { findEtchId } from '../find-id.ts';
import { readingTool } from '../tool.ts';
import { etchName, hex } from './inputs.ts';
import { isPromiseSigned, parsePromise, PromiseError } from '@svc/protocol';
import { type DrandChain, parseChainInfo, QUICKNET, TimelockError } from '@svc/protocol/timelock';
import type { OpenedEtch } from '@svc/verifier/answers';
import { checkOpening } from '@svc/verifier/opening';

const drandChain = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'A drand chain other than quicknet, from a source that you trust: what its relay answers at /<hash>/info.',
  );

export const opening = readingTool({
  name: 'opening',
  title: 'Download the opening of a sealed etch',
  description:
    'For your own sealed etch: returns a file with its text, encrypted to the drand round at reveal_at. From then on anyone with the file can open it ' +
    'without the service (tool open, svc open). Keep it as secret as the text. It outlives a retraction, and nobody can test it before its time.',
  input: {
    id: etchName,
    chain: drandChain,
  },
  output: { etch_id: 'string', opens_with: 'object', secret: 'object' },
  withoutTexts: true,
  forAccount: true,
  async run({ id, chain }, { client }) {
    const file = await client.opening(await findEtchId(id, client), { chain: chain && namedChain(chain) });
    return {
      etch_id: file.etch_id,
      opens_with: { chain: file.chain_hash, round: file.round },
      secret: { opening: file },
    };
  },
});

const OPEN = {
  opening: z.record(z.string(), z.unknown()).describe('The unchanged file (svc-opening:v1).'),
  beacon: hex(96)
    .optional()
    .describe('The signature of the round, from any relay: https://api.drand.sh/<chain>/public/<round>.'),
  chain: drandChain,
  promise: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The promise that etch or seal returned: the opening must have its hash and time.'),
  promise_keys: z
    .array(hex(64))
    .max(8)
    .optional()
    .describe(
      'Promise keys of the service that you trust: a wrong opening that they signed is a broken promise.',
    ),
};

/** Not over HTTP, where the service would open the file itself. */
export const open = readingTool({
  closed: true,
  name: 'open',
  title: 'Open a sealed etch with its opening',
  description:
    'Opens the file of the tool opening (or svc opening) with the signature of its round, without the network. Without the signature, or before the round, result is wait. ' +
    'The receipt or the evidence of the etch shows when the hash was committed.',
  input: OPEN,
  output: {
    result: 'string',
    badge: 'string',
    detail: 'string',
    opening: 'object',
    untrusted: ['object', 'null'],
  },
  run: (given) => Promise.resolve(openFile(given)),
});

/** @throws {TypeError} when the promise is malformed or its signature is wrong */
function promisedBy(value: Record<string, unknown>): OpenedEtch {
  const { promise, fields } = orBadInput(() => parsePromise(value), PromiseError, 'promise');
  if (!isPromiseSigned(promise)) throw new TypeError('promise: its signature does not verify');
  const { etchId: id, hash, revealAt } = fields;
  return { id, hash, revealAt, signedBy: promise.public_key };
}

function openFile({ opening, beacon, chain, promise, promise_keys = [] }: z.infer<z.ZodObject<typeof OPEN>>) {
  const keys = promise_keys.map((key) => key.toLowerCase());
  const check = () =>
    checkOpening(
      opening,
      { keys, pinned: keys.length > 0 },
      chain === undefined ? QUICKNET : parseChainInfo(chain),
      beacon?.toLowerCase() ?? null,
      promise && promisedBy(promise),
    );
  const { verdict, badge, detail, parts } = orBadInput(check, TimelockError, 'the opening is not valid');
  const { etch_id, hash, chain_hash, round } = opening;
  return {
    result: verdict,
    badge,
    detail,
    opening: { etch_id, hash, opens_with: { chain: chain_hash, round } },
    untrusted: parts && {
      content: parts.content,
      stated_time: parts.createdAt,
      stated_author: parts.userId,
    },
  };
}

/** @throws {TypeError} when the description is malformed */
const namedChain = (value: Record<string, unknown>): DrandChain =>
  orBadInput(() => parseChainInfo(value), TimelockError, 'chain');
