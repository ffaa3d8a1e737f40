import { decide } from '../decide/decide.ts';
import type { Traveller } from '../decide/traveller.ts';
import { attemptsOf, type LedgerTx } from '../ledger/transactions.ts';
import { lookBack } from '../recovery/look-back.ts';
import { carryOut } from '../sequence.ts';
import type { Suspicion } from '../suspicions.ts';
import type { Sight, Work } from '../work.ts';
import { ask } from './ask.ts';

export type Step = { end: 'open' | 'lost'; moved: boolean } | { end: 'final'; moved: true; block: number };

export async function advance(work: Work, sight: Sight, tx: LedgerTx): Promise<Step> {
  let traveller: Traveller = { tx, attempts: await attemptsOf(work.db, tx.id), facts: {} };
  let moved = false;
  for (;;) {
    const decision = decide(traveller, sight, work.rules);
    switch (decision.do) {
      case 'wait':
        if (decision.problem) work.problems.report(decision.problem.text, decision.problem.fields);
        return { end: 'open', moved };
      case 'ask':
        traveller = await ask(work, traveller, decision.question);
        break;
      case 'suspect':
        traveller = countLooks(work, traveller, decision.suspicion);
        break;
      case 'look-back': {
        const lookedBack = await lookBack(work, sight);
        traveller = { ...traveller, facts: { ...traveller.facts, lookedBack } };
        moved ||= lookedBack === 'adopted';
        break;
      }
      default: {
        const passed = await carryOut(work, traveller, decision);
        moved ||= passed.moved;
        if (passed.end === 'final')
          return { end: 'final', moved: true, block: passed.traveller.tx.blockNumber! };
        if (passed.end) return { end: passed.end, moved };
        traveller = passed.traveller;
      }
    }
  }
}

function countLooks({ suspicions }: Work, traveller: Traveller, suspicion: Suspicion): Traveller {
  const { facts } = traveller;
  const looks = { ...facts.looks, [suspicion.kind]: suspicions.looks(suspicion) };
  return { ...traveller, facts: { ...facts, looks } };
}
