import type { Memory } from './memory.ts';
import type { Problem } from './problems.ts';
import type { Sight } from './work.ts';

/** Longer than any chain that is in order takes for a block. */
const STANDS_AFTER_MS = 600_000;
/** Clocks of two parties may be so far apart, and a block is as old as the next one is far. */
const LAGS_AFTER_MS = 120_000;

/**
 * Does the chain's head stand still, or stay older than what waits to be sent, while something waits for it? Nothing fails then,
 * and nothing would say why nothing is anchored.
 * @param waiting when what waits may be sent at the earliest, by the database's clock; empty when nothing waits
 * @param now of `performance.now()`: how long it has been so, whatever the clocks say
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
  // A head that nothing waits for may stand: some chains make blocks on demand.
  const stood = before !== undefined && before.hash === head.hash && waiting.length > 0;
  const since = stood ? before.since : now;
  const behindSince = isBehind ? (before?.behindSince ?? now) : undefined;
  memory.head = { hash: head.hash, since, ...(behindSince !== undefined && { behindSince }) };
  const fields = { head: head.number, head_time: new Date(headTime).toISOString() };
  if (now - since > STANDS_AFTER_MS)
    return {
      text: 'CHAIN_RPC_URL: the chain has had no new block for ten minutes, and what is to be anchored waits for one',
      fields,
    };
  if (behindSince !== undefined && now - behindSince > LAGS_AFTER_MS)
    return {
      text: 'CHAIN_RPC_URL: the newest block that is told is older than what waits to be sent: the endpoint lags behind, or the clock of the database is ahead',
      fields: { ...fields, waits_for: new Date(newest).toISOString() },
    };
  return undefined;
}
