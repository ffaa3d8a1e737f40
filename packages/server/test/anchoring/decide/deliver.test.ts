// Runs without a database.
import { describe, expect, test } from 'vitest';
import { attempt, decided, FORM, GWEI, NONCE, NOW, type Scene } from './travellers.ts';

const FEES = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI };
const free = (scene: Scene): Scene => ({ ...scene, facts: { mined: null, ...scene.facts } });
const old = attempt({ signedAt: (NOW - 60) * 1000 });
const head = (more: object) => ({ number: 101, hash: FORM, timestamp: NOW, baseFeePerGas: GWEI, ...more });

describe('waits with', () => {
  test.each([
    ['a nonce beyond the window', { sight: { minedNonce: NONCE - 16 } }],
    ['a chain whose time is before the newest etch', { tx: { notBefore: NOW * 1000 + 1 } }],
    ['a form that the node has', { facts: { known: true } }],
    ['a form sent in this step', { facts: { sent: { form: FORM, outcome: 'accepted' as const } } }],
    [
      'a form that the node already had',
      { facts: { sent: { form: FORM, outcome: 'already-known' as const } } },
    ],
    [
      'a node that counts the nonce differently',
      { facts: { sent: { form: FORM, outcome: 'nonce-too-low' as const } } },
    ],
    [
      'an underpriced form whose nonce is not next',
      { sight: { minedNonce: NONCE - 1 }, facts: { sent: { form: FORM, outcome: 'underpriced' as const } } },
    ],
    [
      'a revocation whose commitment is pending again',
      {
        tx: { state: 'STAGED' as const, action: 'revoke' as const },
        facts: { fees: FEES, revocation: null },
      },
    ],
  ])('%s', (_, scene: Scene) => {
    expect(decided(free(scene))).toEqual({ do: 'wait' });
  });
});

describe('signs', () => {
  const staged = (scene: Scene = {}) => decided(free({ ...scene, tx: { state: 'STAGED', ...scene.tx } }));

  test('after reading fees, what to revoke and gas, in this order', () => {
    expect(staged()).toEqual({ do: 'ask', question: 'fees' });
    expect(staged({ facts: { fees: FEES } })).toEqual({ do: 'ask', question: 'gas' });
    const revoke = { action: 'revoke' as const };
    expect(staged({ tx: revoke, facts: { fees: FEES } })).toEqual({ do: 'ask', question: 'revocation' });
    const same = { calldata: '0xaa' as const, done: [] };
    expect(staged({ tx: revoke, facts: { fees: FEES, revocation: same } })).toEqual({
      do: 'ask',
      question: 'gas',
    });
    expect(staged({ facts: { fees: FEES, gas: { enough: 5n } } })).toEqual({
      do: 'sign',
      fees: FEES,
      gas: 5n,
    });
  });

  test('a revocation with its current commitments while no form exists', () => {
    const tx = { action: 'revoke' as const };
    const anew = { calldata: '0xbb' as const, done: [] };
    expect(staged({ tx, facts: { fees: FEES, revocation: anew } })).toEqual({
      do: 'rewrite',
      revocation: anew,
    });
    const done = { calldata: '0xaa' as const, done: [{ batchId: 1, uid: FORM, time: NOW }] };
    expect(staged({ tx, facts: { fees: FEES, revocation: done } })).toEqual({
      do: 'rewrite',
      revocation: done,
    });
  });

  test('nothing above the fee cap and nothing that the contract would revert', () => {
    const text = 'MAX_FEE_GWEI: the chain requires more than the fee cap: raise it, or wait until fees fall';
    expect(
      staged({ facts: { fees: FEES }, sight: { head: head({ baseFeePerGas: 4n * GWEI }) } }),
    ).toMatchObject({ do: 'wait', problem: { text } });
    expect(staged({ facts: { fees: FEES }, rules: { maxFeePerGas: 2n * GWEI } })).toMatchObject({
      do: 'wait',
      problem: { text },
    });
    expect(staged({ facts: { fees: FEES, gas: { refused: 'reverted' } } })).toMatchObject({
      do: 'wait',
      problem: {
        text: 'RELAYER_PRIVATE_KEY: the chain would reject a transaction of this key: reverted',
        fields: { nonce: NONCE },
      },
    });
  });
});

describe('sends', () => {
  test.each(['SIGNED', 'HALTED'] as const)('%s: the form with the highest fee', (state) => {
    const attempts = [attempt(), attempt({ hash: '0x05', maxFeePerGas: 9n * GWEI })];
    expect(decided(free({ tx: { state }, attempts }))).toEqual({
      do: 'send',
      attempt: attempts[1],
      again: false,
    });
  });

  test('again if the node does not have it', () => {
    expect(decided(free({ facts: { known: false } }))).toEqual({
      do: 'send',
      attempt: attempt(),
      again: true,
    });
  });

  test('a transaction in the step that signed it', () => {
    expect(decided(free({ attempts: [old], facts: { fresh: FORM } }))).toEqual({
      do: 'send',
      attempt: old,
      again: false,
    });
  });
});

describe('raises fees', () => {
  const raised = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: (5n * GWEI) / 4n };

  test('of the next nonce after a minute of chain time', () => {
    expect(decided(free({ attempts: [old] }))).toEqual({ do: 'ask', question: 'fees' });
    expect(decided(free({ attempts: [old], facts: { fees: FEES } }))).toEqual({
      do: 'raise',
      fees: raised,
      last: old,
    });
    const young = attempt({ signedAt: (NOW - 59) * 1000 });
    expect(decided(free({ attempts: [young] }))).toEqual({ do: 'ask', question: 'known' });
    expect(decided(free({ attempts: [old], sight: { minedNonce: NONCE - 1 } }))).toEqual({
      do: 'ask',
      question: 'known',
    });
  });

  test('up to the cap, then waits or sends again', () => {
    const atCap = { attempts: [old], rules: { maxFeePerGas: 2n * GWEI } };
    const problem = {
      text: 'MAX_FEE_GWEI: a transaction waits at the fee cap: raise it, or wait until fees fall',
      fields: { nonce: NONCE, tx_hash: FORM },
    };
    const facts = { fees: FEES };
    expect(decided(free({ ...atCap, facts }))).toEqual({ do: 'ask', question: 'known' });
    expect(decided(free({ ...atCap, facts: { ...facts, known: true } }))).toEqual({ do: 'wait', problem });
    expect(decided(free({ ...atCap, facts: { ...facts, known: false } }))).toEqual({
      do: 'send',
      attempt: old,
      again: true,
      problem,
    });
  });

  test('after three rejections as underpriced, at any time', () => {
    const sent = { form: FORM, outcome: 'underpriced' as const };
    expect(decided(free({ facts: { sent } }))).toEqual({
      do: 'suspect',
      suspicion: { kind: 'underpriced', form: FORM },
    });
    expect(decided(free({ facts: { sent, looks: { underpriced: 2 } } }))).toEqual({ do: 'wait' });
    expect(decided(free({ facts: { sent, looks: { underpriced: 3 } } }))).toEqual({
      do: 'ask',
      question: 'fees',
    });
    expect(decided(free({ facts: { sent, looks: { underpriced: 3 }, fees: FEES } }))).toEqual({
      do: 'raise',
      fees: raised,
      last: attempt(),
    });
  });

  test('not after a rejection, which it reports', () => {
    const sent = { form: FORM, outcome: 'rejected' as const, message: 'insufficient funds' };
    const text = 'RELAYER_PRIVATE_KEY: the node rejects a transaction of this key: insufficient funds';
    expect(decided(free({ facts: { sent } }))).toEqual({
      do: 'wait',
      problem: { text, fields: { nonce: NONCE } },
    });
  });
});
