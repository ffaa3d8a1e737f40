import type { Memory } from './memory.ts';
import type { Problem } from './problems.ts';
import type { Sight } from './work.ts';

/** No working chain takes longer for a block. */
const STANDS_AFTER_MS = 600_000;
const LAGS_AFTER_MS = 120_000;

/**
 * A chain head may stop or be older than the waiting transactions although no read fails.
 * @param waiting `notBefore` is the earliest time to send, by the database's clock
 * @param now from `performance.now()`
 */
export function watchHead(
  memory: Pick<Memory, 'head'>,
  { head }: Pick<Sight, 'head'>,
  waiting: readonly { notBefore: number }[],
  now: number,
): Problem | undefined {
  const before = memory.head;
  const newest = Math.max(...waiting.map(({ notBefore }) => notBefore));
  const headTime = head.timestamp * 1000;
  const isBehind = waiting.length > 0 && headTime < newest;
  // Some chains make blocks only on demand.
  const stood = before !== undefined && before.hash === head.hash && waiting.length > 0;
  const since = stood ? before.since : now;
  const behindSince = isBehind ? (before?.behindSince ?? now) : undefined;
  memory.head = { hash: head.hash, since, ...(behindSince !== undefined && { behindSince }) };
  const fields = { head: head.number, head_time: new Date(headTime).toISOString() };
  if (now - since > STANDS_AFTER_MS)
    return {
      text: 'CHAIN_RPC_URL: the chain has had no new block for ten minutes, and transactions wait for one: check the endpoint',
      fields,
    };
  if (behindSince !== undefined && now - behindSince > LAGS_AFTER_MS)
    return {
      text: 'CHAIN_RPC_URL: the newest block is older than the etches to be sent: the endpoint lags behind, or the clock of the database is ahead',
      fields: { ...fields, waits_for: new Date(newest).toISOString() },
    };
  return undefined;
}
