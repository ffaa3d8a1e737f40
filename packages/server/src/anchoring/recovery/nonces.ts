import { holdsNonce, nextLedgerNonce } from '../ledger/staging.ts';
import type { LedgerTx } from '../ledger/transactions.ts';
import type { Memory, NonceHolder, Sight, Work } from '../work.ts';
import { fillGap } from '../sequence.ts';
import { isFormerBehind, lookBack } from './look-back.ts';
import { ChainUnavailable } from '../../chain/port.ts';

/**
 * Fills a nonce gap left by another user of the key or by a chain that started again. Later transactions would
 * wait forever.
 * @returns true if a gap was filled
 */
export async function closeGap(work: Work, sight: Sight, waiting: readonly LedgerTx[]): Promise<boolean> {
  const lowest = waiting.find((tx) => tx.state !== 'HALTED' && tx.state !== 'MINED')?.nonce;
  if (lowest === undefined || lowest <= sight.minedNonce) return false;
  const { db, chain, rules, suspicions } = work;
  if (await holdsNonce(db, chain.relayer, sight.minedNonce)) return false;
  if (suspicions.looks({ kind: 'gap', nonce: sight.minedNonce }) < rules.looks) return false;
  await fillGap(work, sight.minedNonce, Math.min(lowest, sight.minedNonce + rules.sendWindow));
  return true;
}

/**
 * A wrong count leaves a gap that costs gas. A count far above the ledger therefore needs proof: the transaction
 * before it, or the same count for `farCountSeconds`.
 * @returns null if nothing can be folded now
 */
export async function believedNonce(work: Work, sight: Sight, memory: Memory): Promise<number | null> {
  const { chain, db, problems, rules } = work;
  const counted = sight.minedNonce;
  // The difference may be transactions that the database forgot.
  const isBehind =
    counted > ((await nextLedgerNonce(db, chain.relayer)) ?? 0) || (await isFormerBehind(work));
  if (isBehind && (await lookBack(work, sight)) === 'waits') return null;
  const ledger = await nextLedgerNonce(db, chain.relayer);
  if (ledger === null || counted <= ledger + rules.sendWindow) {
    delete memory.farCount;
    return counted;
  }
  const now = performance.now();
  if (memory.farCount?.nonce !== counted) memory.farCount = { nonce: counted, since: now };
  if (now - memory.farCount.since >= rules.farCountSeconds * 1000) return counted;
  if (await holderOf(work, counted - 1)) return counted;
  problems.report('CHAIN_RPC_URL: the node counts transactions of the relayer key that it does not show', {
    ledger,
    counted,
  });
  return null;
}

export async function holderOf(work: Work, nonce: number): ReturnType<NonceHolder> {
  try {
    return (await work.nonceHolder?.(nonce)) ?? null;
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  }
}
