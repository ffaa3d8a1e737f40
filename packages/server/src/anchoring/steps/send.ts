import type { SendOutcome } from '../../chain/port.ts';
import { markSent } from '../ledger/moves.ts';
import { attemptsOf } from '../ledger/transactions.ts';
import type { Attempt, LedgerTx } from '../ledger/transactions.ts';
import { raiseFees, signFirst } from './sign.ts';
import type { Sight, Work } from '../work.ts';

/** Brings a transaction that no block holds to the chain: sign it if that was not done, send it, raise its fees when stuck. */
export async function deliver(work: Work, sight: Sight, tx: LedgerTx): Promise<'sent' | 'waits'> {
  if (tx.nonce >= sight.minedNonce + work.rules.sendWindow) return 'waits';
  // Chain time never precedes the newest created_at inside.
  if (sight.head.timestamp * 1000 < tx.notBefore) return 'waits';
  const attempts = await attemptsOf(work.db, tx.id);
  const last = attempts.at(-1);
  const isNext = tx.nonce === sight.minedNonce;
  // A halted chain needs patience, not fees: its own time says how long a transaction has waited.
  const isStuck = last && sight.head.timestamp * 1000 >= last.signedAt + work.rules.stuckAfterSeconds * 1000;
  let latest = last ?? (await signFirst(work, sight, tx));
  if (!latest) return 'waits';
  if (isNext && isStuck) latest = (await raiseFees(work, tx, latest)) ?? latest;
  if (tx.state === 'SENT' && latest === last) {
    if (await work.chain.knows(latest.hash)) return 'waits';
    work.log.warn(
      { nonce: tx.nonce, tx_hash: latest.hash },
      'anchoring: the node does not hold a transaction that was sent',
    );
  }
  const outcome = await send(work, tx, latest);
  if (outcome !== 'underpriced' || !isNext) return outcome === 'accepted' ? 'sent' : 'waits';
  // Refused for its fees again and again, and in no block: waiting longer would not help it.
  if (work.problems.suspect(`underpriced ${latest.hash}`) < work.rules.looks) return 'waits';
  const raised = await raiseFees(work, tx, latest);
  return raised && (await send(work, tx, raised)) === 'accepted' ? 'sent' : 'waits';
}

async function send(work: Work, tx: LedgerTx, attempt: Attempt): Promise<SendOutcome> {
  await work.failpoint('before-send');
  const { outcome, message } = await work.chain.send(attempt.raw);
  await work.failpoint('after-send-before-mark');
  // Only a plain refusal says that it did not go out; everything else is a question to the chain.
  if (outcome === 'rejected') {
    work.problems.report(`the node refuses a transaction: ${message ?? 'no reason given'}`, {
      nonce: tx.nonce,
    });
    return outcome;
  }
  await markSent(work.db, tx.id, attempt.hash);
  work.log.info({ nonce: tx.nonce, tx_hash: attempt.hash, outcome }, 'anchoring: sent');
  await work.failpoint('after-send');
  return outcome;
}
