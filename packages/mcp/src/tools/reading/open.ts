import { OpeningFile } from '@svc/contract';
import { isPromiseSigned, parsePromise, PromiseError } from '@svc/protocol';
import { parseChainInfo, QUICKNET, TimelockError } from '@svc/protocol/timelock';
import type { OpenedEtch } from '@svc/verifier/answers';
import { checkOpening } from '@svc/verifier/opening';
import { z } from 'zod';
import { result, warning } from '../../outputs.ts';
import { fieldsOf, object, orNull, pick, text } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';

const output = object({
  warning,
  result,
  badge: text('The finding in a word.'),
  detail: text('What was found.'),
  opening: object({
    ...pick(fieldsOf(OpeningFile), 'etch_id', 'hash'),
    opens_with: object({ chain: text('The drand chain.'), round: { type: 'integer' } }),
  }),
  untrusted: orNull(
    object({
      content: text('The words.'),
      stated_time: text('When they were etched, as the file says.'),
      stated_author: text('The user_id of their author, as the file says.'),
    }),
  ),
});

/** On the agent's own machine alone: it asks nobody, and a service that opened it would be asked after all. */
export const open = readingTool(
  {
    name: 'open',
    title: 'Open a sealed etch by its opening',
    description:
      'Opens the file that the tool opening (or svc opening) gave, with the signature of its round; nobody is asked. Without the signature, or before the round, result is wait. ' +
      'That the hash was there before is shown by the receipt or the evidence of the etch.',
    input: {
      opening: z.record(z.string(), z.unknown()).describe('The file, as it was given (svc-opening:v1).'),
      beacon: z
        .string()
        .regex(/^[0-9a-f]{96}$/i)
        .optional()
        .describe('The signature of its round, from any relay: https://api.drand.sh/<chain>/public/<round>.'),
      chain: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Another chain than quicknet, as you know it: what its /<hash>/info answers.'),
      promise: z
        .record(z.string(), z.unknown())
        .optional()
        .describe(
          'The promise of the etch, as etch or seal answered it: another hash or time is a broken promise.',
        ),
      promise_keys: z
        .array(z.string().regex(/^[0-9a-f]{64}$/i))
        .max(8)
        .optional()
        .describe(
          'Keys of promises of the service, as you know them: what they signed and does not hold is a broken promise.',
        ),
    },
    output,
    // Nothing here waits, and a throw has to become a refusal as elsewhere.
    run: (given) => Promise.resolve(given).then(openFile),
  },
  { asksNobody: true },
);

/** @throws {TypeError} when nobody signed it */
function promisedBy(value: Record<string, unknown>): OpenedEtch {
  try {
    const { promise, fields } = parsePromise(value);
    if (!isPromiseSigned(promise)) throw new TypeError('promise: its signature does not verify');
    return { id: fields.etchId, hash: fields.hash, revealAt: fields.revealAt };
  } catch (error) {
    throw error instanceof PromiseError
      ? new TypeError(`promise: ${error.message}`, { cause: error })
      : error;
  }
}

interface Given {
  opening: Record<string, unknown>;
  beacon?: string | undefined;
  chain?: Record<string, unknown> | undefined;
  promise?: Record<string, unknown> | undefined;
  promise_keys?: string[] | undefined;
}

function openFile({ opening, beacon, chain, promise, promise_keys = [] }: Given): Record<string, unknown> {
  const keys = promise_keys.map((key) => key.toLowerCase());
  try {
    const { verdict, badge, detail, parts } = checkOpening(
      opening,
      { keys, pinned: keys.length > 0 },
      chain === undefined ? QUICKNET : parseChainInfo(chain),
      beacon?.toLowerCase() ?? null,
      promise && promisedBy(promise),
    );
    const { etch_id, hash, chain_hash, round } = opening;
    return {
      warning: WARNING,
      result: verdict,
      badge,
      detail,
      opening: { etch_id, hash, opens_with: { chain: chain_hash, round } },
      untrusted:
        parts === null
          ? null
          : { content: parts.content, stated_time: parts.createdAt, stated_author: parts.userId },
    };
  } catch (error) {
    throw error instanceof TimelockError ? new TypeError(`no valid opening: ${error.message}`) : error;
  }
}
