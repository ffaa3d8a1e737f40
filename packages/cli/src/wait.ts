import { type Context, say } from './context.ts';
import { ApiError, type Client, ConnectionError, type Etch, WaitError } from '@svc/sdk';

const ASK_EVERY_MS = 5_000;

export async function waitFor(
  event: 'anchored' | 'revealed',
  client: Client,
  { id, timeout, etch }: { id: string; timeout: number | undefined; etch?: Etch },
  context: Context,
): Promise<{ etch: Etch; isLate: boolean }> {
  let seen = etch;
  let [last, askedAt] = ['', -Infinity];
  const ended = new AbortController();
  const report = (words: string) => {
    if (words !== last && !ended.signal.aborted) say(context, words);
    last = words;
  };
  const reportPending = (look: Etch) => {
    if (performance.now() - askedAt < ASK_EVERY_MS) return;
    askedAt = performance.now();
    void statusOf(client, ended.signal).then((status) => report(whyPending(look, status)));
  };
  const wait = event === 'revealed' ? client.waitForRevealed : client.waitForAnchored;
  try {
    const found = await wait(id, {
      etch,
      timeoutMs: timeout === undefined ? undefined : timeout * 1000,
      onLook(look) {
        seen = look;
        if (event === 'revealed') report(whySealed(look, Date.now()));
        else reportPending(look);
      },
    });
    return { etch: found, isLate: false };
  } catch (error) {
    if (!(error instanceof WaitError) || error.reason !== 'timeout' || seen === undefined) throw error;
    return { etch: seen, isLate: true };
  } finally {
    ended.abort();
  }
}

async function statusOf(client: Client, signal: AbortSignal): Promise<unknown> {
  try {
    return await client.document('/status', { signal });
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError || signal.aborted) return undefined;
    throw error;
  }
}

/** A different service may omit any field. */
interface Status {
  parts?: { name?: string; ok?: boolean }[];
  anchoring?: {
    pending?: number;
    oldest_pending_seconds?: number | null;
    open_transactions?: number;
    confirming?: { transactions?: number; seen?: number | null; needed?: number | 'safe' } | null;
    failing_since?: string | null;
    catching_up?: boolean;
  } | null;
  relayer?: { health?: string };
}

export function whyPending({ chain }: Pick<Etch, 'chain'>, status: unknown): string {
  const { parts, anchoring, relayer } = (status ?? {}) as Status;
  const waits = 'not anchored yet';
  if (Array.isArray(parts) && parts.some(({ name, ok }) => name === 'chain' && ok === false))
    return `${waits}: the service cannot reach its chain`;
  if (relayer?.health === 'empty') return `${waits}: the service’s relayer has no money left for gas`;
  if (typeof anchoring?.failing_since === 'string')
    return `${waits}: anchoring has failed since ${anchoring.failing_since}; the service retries`;
  if (anchoring?.catching_up === true) return `${waits}: the service is catching up with its chain`;
  if (chain.status === 'failed') return `${waits}: an attempt failed; the service retries`;
  const { transactions = 0, seen, needed } = anchoring?.confirming ?? {};
  if (transactions > 0)
    return `${waits}: ${counted(transactions, 'tree')} in a block of the chain, ${confirmations(seen, needed)}`;
  const [sent, pending] = [anchoring?.open_transactions ?? 0, anchoring?.pending ?? 0];
  if (sent > 0) return `${waits}: ${counted(sent, 'tree')} sent to the chain, waiting for a block`;
  if (pending > 0) return `${waits}: ${counted(pending, 'etch', 'etches')} waiting for the next tree`;
  return `${waits}: waiting for the service’s next tree`;
}

function confirmations(seen: number | null | undefined, needed: number | 'safe' | undefined): string {
  const depth = typeof seen === 'number' ? `${counted(seen, 'confirmation')} seen, ` : '';
  return typeof needed === 'number' ? `${depth}${needed} needed` : `${depth}until the chain calls it safe`;
}

export function whySealed(
  { status, reveal_at: due }: Pick<Etch, 'status' | 'reveal_at'>,
  now: number,
): string {
  const left = due === null ? 0 : Date.parse(due) - now;
  return left > 0
    ? `${status}, not due yet: it opens at ${due}, in ${duration(left)}`
    : `${status}, due since ${due}: the service reveals it within a minute`;
}

const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** At least two of the largest unit, so that it seldom changes. */
function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  for (const [name, length] of UNITS)
    if (seconds >= 2 * length) return counted(Math.floor(seconds / length), name);
  return seconds > 10 ? 'about a minute' : 'seconds';
}
