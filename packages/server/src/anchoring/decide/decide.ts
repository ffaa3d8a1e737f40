import type { TxState } from '../ledger/transactions.ts';
import type { Rules } from '../rules.ts';
import type { Sight } from '../work.ts';
import { becomeFinal, markMined } from './become-final.ts';
import { ask, type Decision, type Rule, type View, wait, WAIT } from './decision.ts';
import { deliver } from './deliver.ts';
import { explainSpent } from './explain-spent.ts';
import type { Traveller } from './traveller.ts';

/** Where the chain has a transaction. */
export type Place =
  /** another key signed it, or was to */
  | 'other-key'
  /** a block holds one of its signed forms */
  | 'in-block'
  /** no block shows one, and its nonce is counted as spent */
  | 'spent'
  /** no block shows one, and its nonce is still to come */
  | 'free';

/**
 * What is done with a transaction, by its state and by where the chain has it. A step believes the stored forms and the
 * chain, never what this process did before: the same table serves the normal path and recovery.
 */
const TABLE: Readonly<Record<TxState, Readonly<Record<Place, Rule>> | null>> = {
  STAGED: { 'other-key': leave, 'in-block': markMined, spent: explainSpent, free: deliver },
  SIGNED: { 'other-key': leave, 'in-block': markMined, spent: explainSpent, free: deliver },
  SENT: { 'other-key': leave, 'in-block': markMined, spent: explainSpent, free: deliver },
  MINED: { 'other-key': leave, 'in-block': becomeFinal, spent: forgetBlock, free: forgetBlock },
  HALTED: { 'other-key': leave, 'in-block': markMined, spent: explainSpent, free: deliver },
  // Only a block that the chain lost opens a final one again (decideFinal); nothing brings back a lost one.
  FINAL: null,
  LOST: null,
};

/** Decides by what is known alone: asks nobody, writes nothing, remembers nothing. */
export function decide(traveller: Traveller, sight: Sight, rules: Rules): Decision {
  const view = { ...traveller, sight, rules };
  const row = TABLE[traveller.tx.state];
  if (!row) return WAIT;
  const place = placeOf(view);
  return place === null ? ask('mined') : row[place](view);
}

/** null: that must be asked first */
function placeOf({ tx, sight, facts }: View): Place | null {
  if (tx.sender !== sight.relayer) return 'other-key';
  if (facts.mined === undefined) return null;
  if (facts.mined) return 'in-block';
  return tx.nonce < sight.minedNonce ? 'spent' : 'free';
}

/** The relayer's key was changed: what was never signed moves on to the new one, the rest needs the old one. */
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

/** Its block is gone, or the node does not show it: the signed forms go out again. */
function forgetBlock(): Decision {
  return { do: 'forget-block' };
}
