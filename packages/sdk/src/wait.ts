import type { Etch } from '@svc/contract/types';
import { WaitError } from './errors.ts';
import type { CallOptions } from './operations.ts';
import { LONGEST_PAUSE_MS, pause } from './retry.ts';

export interface WaitOptions extends CallOptions {
  /** milliseconds until `WaitError`; default: no limit */
  readonly timeoutMs?: number | undefined;
  /** milliseconds between requests; default: 2,000 */
  readonly intervalMs?: number | undefined;
  /** an answer that contradicts it throws a `MisfitError` */
  readonly etch?: Etch | undefined;
  /** receives each version that does not end the wait */
  readonly onLook?: ((etch: Etch) => void) | undefined;
}

type Look<T> = (signal: AbortSignal | undefined) => Promise<T>;

/** Continues after `failed`, because the service retries. */
export const isAnchored = ({ chain }: Etch): boolean => chain.status === 'anchored';

/** @throws {WaitError} when it will never be revealed */
export function isRevealed({ status }: Etch): boolean {
  if (status === 'retracted')
    throw new WaitError('the etch was retracted, so it will not be revealed', 'retracted');
  return status === 'revealed';
}

/** @param early milliseconds to sleep at least before the next look */
export async function until<T>(
  look: Look<T>,
  isOver: (found: T) => boolean,
  {
    signal,
    timeoutMs = Infinity,
    intervalMs = 2_000,
    onLook,
  }: Omit<WaitOptions, 'onLook'> & { onLook?: ((found: T) => void) | undefined },
  early: (found: T) => number = () => 0,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = await lookUntil(end, look, signal, timeoutMs);
    if (isOver(found)) return found;
    onLook?.(found);
    const left = end - Date.now();
    if (left <= 0) throw tooLate(timeoutMs);
    await pause(Math.min(Math.max(intervalMs, early(found)), left, LONGEST_PAUSE_MS), signal);
  }
}

const tooLate = (timeoutMs: number) => new WaitError(`not within ${timeoutMs} ms`, 'timeout');

/** The time limit also ends a request that the service does not answer. */
async function lookUntil<T>(
  end: number,
  look: Look<T>,
  signal: AbortSignal | undefined,
  timeoutMs: number,
): Promise<T> {
  const left = end - Date.now();
  if (left > LONGEST_PAUSE_MS) return look(signal);
  const timeout = AbortSignal.timeout(Math.max(1, left));
  try {
    return await look(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal?.throwIfAborted();
    throw timeout.aborted ? tooLate(timeoutMs) : error;
  }
}
