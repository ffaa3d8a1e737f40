import type { TxState } from '../ledger/transactions.ts';
import type { Rules } from '../rules.ts';
import type { Sight } from '../work.ts';
import { becomeFinal, markMined } from './become-final.ts';
import { ask, type Decision, type Rule, type View, wait, WAIT } from './decision.ts';
import { deliver } from './deliver.ts';
import { explainSpent } from './explain-spent.ts';
import type { Traveller } from './traveller.ts';

export type Place = 'other-key' | 'in-block' | 'spent' | 'free';

/** A rule reads only the stored forms and the chain, so recovery uses the same table. */
const TABLE: Readonly<Record<TxState, Readonly<Record<Place, Rule>> | null>> = {
  STAGED: { 'other-key': leave, 'in-block': markMined, spent: explainSpent, free: deliver },
  SIGNED: { 'other-key': leave, 'in-block': markMined, spent: explainSpent, free: deliver },
  SENT: { 'other-key': leave, 'in-block': markMined, spent: explainSpent, free: deliver },
  MINED: { 'other-key': leave, 'in-block': becomeFinal, spent: forgetBlock, free: forgetBlock },
  HALTED: { 'other-key': leave, 'in-block': markMined, spent: explainSpent, free: deliver },
  FINAL: null,
  LOST: null,
};

export function decide(traveller: Traveller, sight: Sight, rules: Rules): Decision {
  const view = { ...traveller, sight, rules };
  const row = TABLE[traveller.tx.state];
  if (!row) return WAIT;
  const place = placeOf(view);
  return place === null ? ask('mined') : row[place](view);
}

function placeOf({ tx, attempts, sight, facts }: View): Place | null {
  const isOfOther = tx.sender !== sight.relayer;
  if (isOfOther && attempts.length === 0) return 'other-key';
  if (facts.mined === undefined) return null;
  if (facts.mined) return 'in-block';
  if (isOfOther) return 'other-key';
  return tx.nonce < sight.minedNonce ? 'spent' : 'free';
}

/** An unsigned transaction is folded again for the new key. A signed one in no block needs the old key. */
function leave({ tx, attempts }: View): Decision {
  if (attempts.length === 0)
    return { do: 'requeue', note: 'the key of its relayer was changed', anchored: [] };
  return wait(
    'RELAYER_PRIVATE_KEY: a transaction signed by an earlier key is open: run with that key until it is final',
    {
      nonce: tx.nonce,
    },
  );
}

function forgetBlock(): Decision {
  return { do: 'forget-block' };
}
