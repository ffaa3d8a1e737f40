import { attemptsOf, markSent } from './store.ts';
import type { Attempt, LedgerTx } from './store.ts';
import { raiseFees, signFirst } from './sign.ts';
import type { Sight, Work } from './work.ts';

/** Brings a transaction that no block holds to the chain: sign it if that was not done, send it, raise its fees when stuck. */
export async function deliver(work: Work, sight: Sight, tx: LedgerTx): Promise<'sent' | 'waits'> {
  if (tx.nonce >= sight.minedNonce + work.rules.sendWindow) return 'waits';
  // Chain time never precedes the newest created_at inside.
  if (sight.head.timestamp * 1000 < tx.notBefore) return 'waits';
  const attempts = await attemptsOf(work.db, tx.id);
  let latest = attempts.at(-1) ?? null;
  if (!latest) latest = await signFirst(work, sight, tx);
  else if (tx.nonce === sight.minedNonce) latest = (await raiseFees(work, sight, tx, latest)) ?? latest;
  if (!latest) return 'waits';
  if (tx.state === 'SENT' && attempts.some((attempt) => attempt.hash === latest.hash)) {
    if (await work.chain.knows(latest.hash)) return 'waits';
    work.log.warn({ nonce: tx.nonce, tx_hash: latest.hash }, 'anchoring: the node dropped a transaction');
  }
  await send(work, tx, latest);
  return 'sent';
}

async function send(work: Work, tx: LedgerTx, attempt: Attempt): Promise<void> {
  await work.failpoint('before-send');
  const { outcome, message } = await work.chain.send(attempt.raw);
  await work.failpoint('after-send-before-mark');
  // Only a plain refusal says that it did not go out; everything else is a question to the chain.
  if (outcome === 'rejected') {
    work.problems.report(`the node refuses a transaction: ${message ?? 'no reason given'}`, {
      nonce: tx.nonce,
    });
    return;
  }
  await markSent(work.db, tx.id, attempt.hash);
  work.log.info({ nonce: tx.nonce, tx_hash: attempt.hash, outcome }, 'anchoring: sent');
  await work.failpoint('after-send');
}
