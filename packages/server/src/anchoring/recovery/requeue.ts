import type { Hex } from '../../chain/port.ts';
import { fence } from '../ledger/lease.ts';
import { loseTransaction, markAnchored } from '../ledger/moves.ts';
import type { LedgerTx } from '../ledger/transactions.ts';
import type { Work } from '../work.ts';

/**
 * Gives up a transaction whose nonce is spent for ever without its work being done, and puts its etches back in
 * the queue in the same step; they are sealed again by the normal path, later each time it happens.
 */
export async function requeue(
  work: Work,
  tx: LedgerTx,
  lost: { note: string; unsigned: boolean; anchored: { batchId: number; uid: Hex; time: number }[] },
): Promise<'lost' | 'mined'> {
  await work.failpoint('before-requeue');
  const waitSeconds = work.rules.retrySeconds * (2 ** Math.min(tx.tries, 8) - 1);
  const gone = await work.db.tx(async (inner) => {
    await fence(inner, work.holder);
    await markAnchored(inner, lost.anchored);
    return loseTransaction(inner, tx.id, { note: lost.note, unsigned: lost.unsigned, waitSeconds });
  });
  if (!gone) return 'mined';
  work.log.error({ nonce: tx.nonce, tries: tx.tries }, `anchoring: a transaction is given up: ${lost.note}`);
  await work.failpoint('after-requeue');
  return 'lost';
}
