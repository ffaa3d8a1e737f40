// Runs without a database.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NonceState } from '../../../src/anchoring/decide/decide.ts';
import type { Decision, Facts, Question } from '../../../src/anchoring/decide/decision.ts';
import type { Action, TxState } from '../../../src/anchoring/ledger/transactions.ts';
import { attempt, decided, FORM, GWEI, mined, NONCE, NOW, OTHER, own, type Scene } from './scene.ts';

const PLACES: Readonly<Record<NonceState, Scene>> = {
  'other-key': { tx: { sender: OTHER }, facts: { mined: null } },
  'in-block': { facts: { mined: mined() }, snapshot: { minedNonce: NONCE + 1 } },
  spent: { facts: { mined: null }, snapshot: { minedNonce: NONCE + 1 } },
  free: { facts: { mined: null } },
};

/** A new state or place without a row does not compile. */
const FIRST: Readonly<Record<TxState, Readonly<Record<NonceState, string>>>> = {
  STAGED: { 'other-key': 'requeue', 'in-block': 'mark-mined', spent: 'suspect spent', free: 'ask fees' },
  SIGNED: { 'other-key': 'wait!', 'in-block': 'mark-mined', spent: 'suspect spent', free: 'send' },
  SENT: { 'other-key': 'wait!', 'in-block': 'mark-mined', spent: 'suspect spent', free: 'ask known' },
  MINED: { 'other-key': 'wait!', 'in-block': 'ask readBack', spent: 'forget-block', free: 'forget-block' },
  HALTED: { 'other-key': 'wait!', 'in-block': 'mark-mined', spent: 'suspect spent', free: 'send' },
  FINAL: { 'other-key': 'wait', 'in-block': 'wait', spent: 'wait', free: 'wait' },
  LOST: { 'other-key': 'wait', 'in-block': 'wait', spent: 'wait', free: 'wait' },
};

/** `!` means that the operator gets a message. */
function brief(decision: Decision): string {
  if (decision.do === 'ask') return `ask ${decision.question}`;
  if (decision.do === 'suspect') return `suspect ${decision.suspicion.kind}`;
  return decision.do + ('problem' in decision && decision.problem ? '!' : '');
}

describe('every state and place', () => {
  const cells = Object.entries(FIRST).flatMap(([state, row]) =>
    Object.entries(row).map(([place, want]) => ({
      state: state as TxState,
      place: place as NonceState,
      want,
    })),
  );

  test.each(cells)('$state, $place: $want', ({ state, place, want }) => {
    const scene = PLACES[place];
    expect(brief(decided({ ...scene, tx: { ...scene.tx, state } }))).toBe(want);
  });

  test.each([
    ['SENT', 'mark-mined'],
    ['MINED', 'ask readBack'],
  ] as const)('%s by another key, in a block: %s', (state, want) => {
    const scene = PLACES['in-block'];
    expect(brief(decided({ ...scene, tx: { state, sender: OTHER } }))).toBe(want);
  });

  const open = cells.filter(({ state, place }) => place === 'free' && state !== 'FINAL' && state !== 'LOST');
  test.each(open)('$state: reads the block first', ({ state }) => {
    expect(decided({ tx: { state } })).toEqual({ do: 'ask', question: 'mined' });
  });
});

const ANSWERS: { readonly [Q in Question]: fc.Arbitrary<Required<Facts>[Q]> } = {
  mined: fc.constantFrom(null, mined(), mined({ succeeded: false }), mined({ block: { number: 101 } })),
  blockAgreed: fc.constantFrom(true, false, null),
  secondOpinion: fc.constantFrom(null, mined(), mined({ succeeded: false })),
  readBack: fc.constantFrom(
    { verdict: 'holds', anchored: [] } as const,
    { verdict: 'unrevoked', anchored: [] } as const,
    { verdict: 'pending' } as const,
    { verdict: 'doubt', what: 'something' } as const,
  ),
  holder: fc.constantFrom(null, { own: own(), ours: true }, { own: own({ hash: FORM }), ours: true }),
  holderAgreed: fc.constantFrom(true, false, null),
  fees: fc.constantFrom(
    { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI },
    { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
  ),
  gas: fc.constantFrom({ enough: 21_000n }, { refused: 'reverted' }),
  revocation: fc.constantFrom(
    null,
    { calldata: '0xaa', done: [] } as const,
    { calldata: '0xbb', done: [] } as const,
  ),
  known: fc.boolean(),
};
const QUESTIONS = Object.keys(ANSWERS) as Question[];

test('reads no fact twice and ends in a step or in waiting, for any answers', () => {
  const states = Object.keys(FIRST) as TxState[];
  const actions: Action[] = ['attest', 'revoke', 'fill'];
  fc.assert(
    fc.property(
      fc.constantFrom(...states),
      fc.constantFrom(...actions),
      fc.constantFrom(0, NONCE, NONCE + 1),
      fc.constantFrom([], [attempt()], [attempt({ signedAt: (NOW - 100) * 1000 })]),
      fc.record(ANSWERS),
      fc.nat(4),
      fc.constantFrom('done', 'adopted', 'waits'),
      (state, action, minedNonce, attempts, answers, looks, lookedBack) => {
        let facts: Facts = {};
        for (let turn = 0; turn <= QUESTIONS.length + 2; turn++) {
          const decision = decided({ tx: { state, action }, attempts, facts, snapshot: { minedNonce } });
          if (decision.do === 'ask') {
            expect(facts).not.toHaveProperty(decision.question);
            facts = { ...facts, [decision.question]: answers[decision.question] };
          } else if (decision.do === 'suspect') {
            expect(facts.looks).toBeUndefined();
            facts = { ...facts, looks: { [decision.suspicion.kind]: looks } };
          } else if (decision.do === 'look-back') {
            expect(facts.lookedBack).toBeUndefined();
            facts = { ...facts, lookedBack };
          } else return;
        }
        throw new Error(`no end: ${Object.keys(facts).join()}`);
      },
    ),
    { numRuns: 2_000 },
  );
});
