import type { LedgerTx } from '../ledger/transactions.ts';
import type { Rules } from '../rules.ts';
import type { Suspicion } from '../suspicions.ts';
import type { Sight } from '../work.ts';

export type Standing = 'stands' | 'replaced' | 'unknown';

/**
 * Reopens a final transaction if its block was replaced, or if several looks at a shorter chain find neither the
 * block nor a spent nonce.
 */
export function decideFinal(
  tx: LedgerTx,
  standing: Standing,
  seen: { sight: Sight; rules: Rules; looks?: number },
): { do: 'wait' | 'reopen' } | { do: 'suspect'; suspicion: Suspicion } {
  const { sight, rules, looks } = seen;
  if (standing === 'stands') return { do: 'wait' };
  if (standing === 'replaced') return { do: 'reopen' };
  if (sight.head.number >= tx.blockNumber! || sight.minedNonce > tx.nonce) return { do: 'wait' };
  if (looks === undefined) return { do: 'suspect', suspicion: { kind: 'gone', tx: tx.id } };
  return { do: looks < rules.looks ? 'wait' : 'reopen' };
}
