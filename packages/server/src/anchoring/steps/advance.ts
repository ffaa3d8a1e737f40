import { deliver } from './send.ts';
import { spentNonce } from '../recovery/nonces.ts';
import { requeue } from '../recovery/requeue.ts';
import { findMined, settle } from './settle.ts';
import { markUnmined } from '../ledger/moves.ts';
import { attemptsOf } from '../ledger/transactions.ts';
import type { LedgerTx } from '../ledger/transactions.ts';
import type { Sight, Work } from '../work.ts';

export type Outcome = 'waits' | 'sent' | 'mined' | 'safe' | 'lost';

/**
 * Takes one open transaction as far as the chain allows now. The same function serves the normal path and recovery:
 * it believes the stored forms and the chain, never what this process did before.
 */
export async function advance(work: Work, sight: Sight, tx: LedgerTx): Promise<Outcome> {
  if (tx.sender !== work.chain.relayer.toLowerCase()) return leftByAnotherKey(work, tx);
  const before = tx.state;
  const attempts = await attemptsOf(work.db, tx.id);
  const mined = await findMined(work, attempts);
  if (mined) return settled(before, await settle(work, sight, tx, mined));
  if (tx.state === 'MINED') {
    await markUnmined(work.db, tx.id);
    tx.state = 'SENT';
  }
  if (tx.nonce < sight.minedNonce) return spentNonce(work, sight, tx, attempts);
  if ((await deliver(work, sight, tx)) === 'waits') return 'waits';
  const now = await findMined(work, await attemptsOf(work.db, tx.id));
  return now ? settle(work, sight, tx, now) : 'sent';
}

function settled(before: string, outcome: Outcome): Outcome {
  return outcome === 'mined' && before === 'MINED' ? 'waits' : outcome;
}

/** The relayer's key was changed: what was never signed moves on to the new one, the rest needs the old one. */
async function leftByAnotherKey(work: Work, tx: LedgerTx): Promise<Outcome> {
  if ((await attemptsOf(work.db, tx.id)).length === 0) {
    const note = 'the key of its relayer was changed';
    return (await requeue(work, tx, { note, unsigned: true, anchored: [] })) === 'lost' ? 'lost' : 'waits';
  }
  work.problems.report(
    'a transaction signed by an earlier relayer key is open: run with that key until it is final',
    {
      nonce: tx.nonce,
    },
  );
  return 'waits';
}
