import { WaitError } from '@svc/sdk';
import { z } from 'zod';
import { findEtchId } from '../../find-id.ts';
import { changed } from '../../outputs.ts';
import { object, truth } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { splitEtch, WARNING } from '../../untrusted.ts';
import { etchName } from '../inputs.ts';

const MOST_SECONDS = 50;
/** A waiting request occupies the service. */
const MOST_SECONDS_OVER_HTTP = 20;

export const wait = readingTool({
  name: 'wait',
  title: 'Wait for the anchor or the reveal',
  description:
    'Waits until an etch is anchored on the chain, or revealed, and returns it. If done is false, the time ran out: call it again.',
  input: {
    id: etchName,
    until: z.enum(['anchored', 'revealed']),
    seconds: z
      .number()
      .int()
      .min(1)
      .max(MOST_SECONDS)
      .optional()
      .describe(`Default: 30; over HTTP at most ${MOST_SECONDS_OVER_HTTP}.`),
  },
  output: object({ ...changed, done: truth }),
  async run({ id: named, until, seconds = 30 }, { client, settings }, signal) {
    const id = await findEtchId(named, client);
    const waitFor = until === 'anchored' ? client.waitForAnchored : client.waitForRevealed;
    const most = settings.perRequest ? Math.min(seconds, MOST_SECONDS_OVER_HTTP) : seconds;
    let done = true;
    const etch = await waitFor(id, { timeoutMs: most * 1000, signal }).catch((error: unknown) => {
      if (!(error instanceof WaitError)) throw error;
      done = false;
      return client.getEtch(id, { signal });
    });
    return { warning: WARNING, done, etch: splitEtch(etch, settings.drand) };
  },
});
