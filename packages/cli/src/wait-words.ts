import type { Etch } from '@svc/sdk';

/** A different service may omit any field. */
interface Status {
  parts?: { name?: string; ok?: boolean }[];
  anchoring?: {
    pending?: number;
    oldest_pending_seconds?: number | null;
    open_transactions?: number;
    confirming?: { transactions?: number; seen?: number | null; needed?: number | 'safe' } | null;
    failing_since?: string | null;
  } | null;
  relayer?: { health?: string };
}

export function whyPending({ chain }: Pick<Etch, 'chain'>, said: unknown): string {
  const { parts, anchoring, relayer } = (said ?? {}) as Status;
  const waits = 'not anchored yet';
  if (Array.isArray(parts) && parts.some(({ name, ok }) => name === 'chain' && ok === false))
    return `${waits}: the service cannot reach its chain`;
  if (relayer?.health === 'empty') return `${waits}: the service’s relayer has no money left for gas`;
  if (typeof anchoring?.failing_since === 'string')
    return `${waits}: anchoring has failed since ${anchoring.failing_since}; the service retries`;
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
