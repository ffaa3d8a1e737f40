import { ConnectionError, ApiError, WaitError } from '@svc/sdk';
import type { Client, Etch } from '@svc/sdk';
import { lines } from './context.ts';
import type { Context } from './context.ts';
import { whyPending, whySealed } from './wait-words.ts';

/** How often the service is asked how its anchoring fares. */
const ASK_EVERY_MS = 5_000;

export interface Waited {
  /** as it was seen last */
  etch: Etch;
  /** is the time over? */
  isLate: boolean;
}

/**
 * Waits until an etch is anchored or revealed, and tells where people read why that takes its time, when it is something new.
 * @param etch as it is now, where that is known
 */
export async function waitFor(
  event: 'anchored' | 'revealed',
  client: Client,
  id: string,
  { timeoutSeconds, etch }: { timeoutSeconds: number | undefined; etch?: Etch },
  context: Context,
): Promise<Waited> {
  let seen = etch;
  const teller = makeTeller(client, context);
  const wait = event === 'revealed' ? client.waitForRevealed : client.waitForAnchored;
  try {
    const found = await wait(id, {
      etch,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
      onLook(look) {
        seen = look;
        if (event === 'revealed') teller.tell(whySealed(look, Date.now()));
        else teller.tellPending(look);
      },
    });
    return { etch: found, isLate: false };
  } catch (error) {
    if (!(error instanceof WaitError) || error.reason !== 'timeout' || seen === undefined) throw error;
    return { etch: seen, isLate: true };
  } finally {
    teller.end();
  }
}

function makeTeller(client: Client, context: Context) {
  const ended = new AbortController();
  let [last, askedAt] = ['', -Infinity];
  const tell = (words: string) => {
    if (words !== last && !ended.signal.aborted) context.note(lines(words));
    last = words;
  };
  return {
    tell,
    tellPending(etch: Etch) {
      if (performance.now() - askedAt < ASK_EVERY_MS) return;
      askedAt = performance.now();
      void statusOf(client, ended.signal).then((status) => tell(whyPending(etch, status)));
    },
    end: () => ended.abort(),
  };
}

/** What the service says of itself; undefined when it says nothing. */
async function statusOf(client: Client, signal: AbortSignal): Promise<unknown> {
  try {
    return await client.document('/status', { signal });
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError || signal.aborted) return undefined;
    throw error;
  }
}
