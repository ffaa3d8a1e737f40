// Runs without a database.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { raise } from '../../../src/anchoring/decide/deliver.ts';
import type { Attempt } from '../../../src/anchoring/ledger/transactions.ts';
import { ask, attempt, decided, FORM, GWEI, NONCE, NOW, type Scene, suspect, WAIT } from './scene.ts';

const FEES = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI };
const free = (scene: Scene) => decided({ ...scene, facts: { mined: null, ...scene.facts } });
const old = attempt({ signedAt: (NOW - 60) * 1000 });
const head = (more: object) => ({ number: 101, hash: FORM, timestamp: NOW, baseFeePerGas: GWEI, ...more });
const said = (outcome: 'accepted' | 'already-known' | 'nonce-too-low' | 'underpriced') => ({
  sent: { form: FORM, outcome },
});
const unseen = (looks: number) => ({ known: false, looks: { unseen: looks } });
const revoke = { action: 'revoke' as const };

test.each<[string, Scene]>([
  ['a nonce beyond the window', { snapshot: { minedNonce: NONCE - 16 } }],
  ['a chain whose time is before the newest etch', { tx: { notBefore: NOW * 1000 + 1 } }],
  ['a form that the node has', { facts: { known: true } }],
  ['a form sent in this step', { facts: said('accepted') }],
  ['a form that the node already had', { facts: said('already-known') }],
  ['a node that counts the nonce differently', { facts: said('nonce-too-low') }],
  [
    'an underpriced form whose nonce is not next',
    { snapshot: { minedNonce: NONCE - 1 }, facts: said('underpriced') },
  ],
  [
    'a revocation whose commitment is pending again',
    { tx: { state: 'STAGED', ...revoke }, facts: { fees: FEES, revocation: null } },
  ],
])('waits with %s', (_, scene) => expect(free(scene)).toEqual(WAIT));

describe('signs', () => {
  const staged = (scene: Scene = {}) => free({ ...scene, tx: { state: 'STAGED', ...scene.tx } });

  test('after reading fees, what to revoke and gas, in this order', () => {
    expect(staged()).toEqual(ask('fees'));
    expect(staged({ facts: { fees: FEES } })).toEqual(ask('gas'));
    expect(staged({ tx: revoke, facts: { fees: FEES } })).toEqual(ask('revocation'));
    const same = { calldata: '0xaa' as const, done: [] };
    expect(staged({ tx: revoke, facts: { fees: FEES, revocation: same } })).toEqual(ask('gas'));
    const facts = { fees: FEES, gas: { enough: 5n } };
    expect(staged({ facts })).toEqual({ do: 'sign', fees: FEES, gas: 5n });
  });

  test('a revocation with its current commitments while no form exists', () => {
    for (const revocation of [
      { calldata: '0xbb' as const, done: [] },
      { calldata: '0xaa' as const, done: [{ batchId: 1, uid: FORM, time: NOW }] },
    ])
      expect(staged({ tx: revoke, facts: { fees: FEES, revocation } })).toEqual({
        do: 'rewrite',
        revocation,
      });
  });

  test('nothing above the fee cap and nothing that the contract would revert', () => {
    const text = 'MAX_FEE_GWEI: the chain requires more than the fee cap: raise it, or wait until fees fall';
    const facts = { fees: FEES };
    const capped = { do: 'wait', problem: { text } };
    expect(staged({ facts, snapshot: { head: head({ baseFeePerGas: 4n * GWEI }) } })).toMatchObject(capped);
    expect(staged({ facts, rules: { maxFeePerGas: 2n * GWEI } })).toMatchObject(capped);
    const rejected = 'RELAYER_PRIVATE_KEY: the chain would reject a transaction of this key: reverted';
    expect(staged({ facts: { ...facts, gas: { refused: 'reverted' } } })).toMatchObject({
      do: 'wait',
      problem: { text: rejected, fields: { nonce: NONCE } },
    });
  });
});

describe('sends', () => {
  const send = (one: Attempt, again = false) => ({ do: 'send', attempt: one, again });
  const dear = attempt({ hash: '0x05', maxFeePerGas: 9n * GWEI });
  test.each<[string, Scene, object]>([
    ['SIGNED: the highest fee', { tx: { state: 'SIGNED' }, attempts: [attempt(), dear] }, send(dear)],
    ['HALTED: the highest fee', { tx: { state: 'HALTED' }, attempts: [attempt(), dear] }, send(dear)],
    ['again if the node does not have it', { facts: unseen(1) }, send(attempt(), true)],
    ['in the step that signed it', { attempts: [old], facts: { fresh: FORM } }, send(old)],
  ])('%s', (_, scene, want) => expect(free(scene)).toEqual(want));
});

test('sends less and less often to a node that never has it', () => {
  const looks = Array.from({ length: 300 }, (_, at) => at + 1);
  const sending = looks.filter((look) => free({ facts: unseen(look) }).do === 'send');
  expect(sending).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 192, 256]);
});

describe('raises fees', () => {
  const raised = (last: Attempt) => ({
    do: 'raise',
    last,
    fees: { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: (5n * GWEI) / 4n },
  });

  test('of the next nonce after a minute of chain time', () => {
    expect(free({ attempts: [old] })).toEqual(ask('fees'));
    expect(free({ attempts: [old], facts: { fees: FEES } })).toEqual(raised(old));
    expect(free({ attempts: [attempt({ signedAt: (NOW - 59) * 1000 })] })).toEqual(ask('known'));
    expect(free({ attempts: [old], snapshot: { minedNonce: NONCE - 1 } })).toEqual(ask('known'));
  });

  test('up to the cap, then waits or sends again', () => {
    const atCap = { attempts: [old], rules: { maxFeePerGas: 2n * GWEI } };
    const problem = {
      text: 'MAX_FEE_GWEI: a transaction waits at the fee cap: raise it, or wait until fees fall',
      fields: { nonce: NONCE, tx_hash: FORM },
    };
    const look = (known?: boolean) =>
      free({ ...atCap, facts: { fees: FEES, ...(known !== undefined && { known }) } });
    expect(look()).toEqual(ask('known'));
    expect(look(true)).toEqual({ do: 'wait', problem });
    expect(look(false)).toEqual(suspect({ kind: 'unseen', form: FORM }));
    const again = (looks: number) => free({ ...atCap, facts: { fees: FEES, ...unseen(looks) } });
    expect(again(1)).toEqual({ do: 'send', attempt: old, again: true, problem });
    expect(again(3)).toEqual({ do: 'wait', problem });
  });

  test('after three rejections as underpriced, at any time', () => {
    const look = (more: Scene['facts']) => free({ facts: { ...said('underpriced'), ...more } });
    expect(look({})).toEqual(suspect({ kind: 'underpriced', form: FORM }));
    expect(look({ looks: { underpriced: 2 } })).toEqual(WAIT);
    expect(look({ looks: { underpriced: 3 } })).toEqual(ask('fees'));
    expect(look({ looks: { underpriced: 3 }, fees: FEES })).toEqual(raised(attempt()));
  });

  test('not after a rejection, which it reports', () => {
    const sent = { form: FORM, outcome: 'rejected' as const, message: 'insufficient funds' };
    const text = 'RELAYER_PRIVATE_KEY: the node rejects a transaction of this key: insufficient funds';
    expect(free({ facts: { sent } })).toEqual({ do: 'wait', problem: { text, fields: { nonce: NONCE } } });
  });
});

test('raises fees by at least 10 % and never above the cap', () => {
  const fee = fc.bigInt({ min: 1n, max: 10n ** 13n });
  const fees = fc
    .tuple(fee, fee)
    .map(([a, b]) => ({ maxFeePerGas: a > b ? a : b, maxPriorityFeePerGas: a > b ? b : a }));
  fc.assert(
    fc.property(fees, fees, fee, (last, now, cap) => {
      const raised = raise(last, now, cap);
      if (raised === null) {
        expect(cap * 10n).toBeLessThan(last.maxFeePerGas * 11n + 10n);
        return;
      }
      expect(raised.maxFeePerGas).toBeLessThanOrEqual(cap);
      expect(raised.maxPriorityFeePerGas).toBeLessThanOrEqual(raised.maxFeePerGas);
      expect(raised.maxFeePerGas * 10n).toBeGreaterThanOrEqual(last.maxFeePerGas * 11n);
      expect(raised.maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(last.maxPriorityFeePerGas * 11n);
    }),
  );
});
