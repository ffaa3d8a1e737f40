import type { Problem } from '../problems.ts';
import { ask, type Decision, unsure, type View, WAIT } from './decision.ts';

/**
 * Usually the node lags. If the database is older than the chain, a forgotten form spent the nonce: search the
 * logs and adopt it. Otherwise only a different transaction in a final block is evidence.
 */
export function explainSpent(view: View): Decision {
  const { tx, attempts, sight, facts } = view;
  const early = unsure(view, { kind: 'spent', tx: tx.id });
  if (early) return early;
  if (!facts.lookedBack) return { do: 'look-back' };
  if (facts.lookedBack !== 'done') return WAIT;
  if (facts.holder === undefined) return ask('holder');
  const { holder } = facts;
  const lose = { do: 'requeue', note: 'its nonce was spent by another transaction', anchored: [] } as const;
  if (holder && !attempts.some(({ hash }) => hash === holder.own.hash)) {
    if (holder.own.blockNumber > sight.final.number) return WAIT;
    if (facts.holderAgreed === undefined) return ask('holderAgreed');
    if (facts.holderAgreed !== true) return WAIT;
    if (holder.ours) return { do: 'adopt', holder };
    const fields = { nonce: tx.nonce, tx_hash: holder.own.hash };
    return {
      ...lose,
      problem: {
        text: 'RELAYER_PRIVATE_KEY: another program sends with this key and took a nonce: use the key for this service only',
        fields,
      },
    };
  }
  if (attempts.length === 0 || tx.action === 'fill') return lose;
  const problem: Problem = {
    text: 'CHAIN_RPC_URL: a nonce is spent, but the node does not show the transaction',
    fields: { nonce: tx.nonce },
  };
  if (tx.state === 'HALTED') return { do: 'wait', problem };
  return { do: 'halt', note: 'its nonce is spent, its receipt is not found', problem };
}
