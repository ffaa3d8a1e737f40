import { ApiError, type Client, ConnectionError, type Etch, WaitError } from '@svc/sdk';
import { type Context, lines } from './context.ts';
import { whyPending, whySealed } from './wait-words.ts';

const ASK_EVERY_MS = 5_000;

export interface Waited {
  etch: Etch;
  isLate: boolean;
}

export async function waitFor(
  event: 'anchored' | 'revealed',
  client: Client,
  id: string,
  { timeoutSeconds, etch }: { timeoutSeconds: number | undefined; etch?: Etch },
  context: Context,
): Promise<Waited> {
  let seen = etch;
  const reporter = makeReporter(client, context);
  const wait = event === 'revealed' ? client.waitForRevealed : client.waitForAnchored;
  try {
    const found = await wait(id, {
      etch,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
      onLook(look) {
        seen = look;
        if (event === 'revealed') reporter.report(whySealed(look, Date.now()));
        else reporter.reportPending(look);
      },
    });
    return { etch: found, isLate: false };
  } catch (error) {
    if (!(error instanceof WaitError) || error.reason !== 'timeout' || seen === undefined) throw error;
    return { etch: seen, isLate: true };
  } finally {
    reporter.end();
  }
}

function makeReporter(client: Client, context: Context) {
  const ended = new AbortController();
  let [last, askedAt] = ['', -Infinity];
  const report = (words: string) => {
    if (words !== last && !ended.signal.aborted) context.note(lines(words));
    last = words;
  };
  return {
    report,
    reportPending(etch: Etch) {
      if (performance.now() - askedAt < ASK_EVERY_MS) return;
      askedAt = performance.now();
      void statusOf(client, ended.signal).then((status) => report(whyPending(etch, status)));
    },
    end: () => ended.abort(),
  };
}

async function statusOf(client: Client, signal: AbortSignal): Promise<unknown> {
  try {
    return await client.document('/status', { signal });
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError || signal.aborted) return undefined;
    throw error;
  }
}
