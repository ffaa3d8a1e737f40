// Runs without a database.
import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../src/anchoring/decide/decision.ts';
import { ask, decided, FORM, NONCE, own, type Scene, suspect, WAIT } from './scene.ts';

const sure: Facts = { mined: null, looks: { spent: 3 }, lookedBack: 'done' };
const look = (facts: Facts, scene: Scene = {}) =>
  decided({ ...scene, facts: { ...sure, ...facts }, snapshot: { minedNonce: NONCE + 1 } });
const LOST = { do: 'requeue', note: 'its nonce was spent by another transaction', anchored: [] };
const unseen = {
  text: 'CHAIN_RPC_URL: a nonce is spent, but the node does not show the transaction',
  fields: { nonce: NONCE },
};

describe('a spent nonce without a block', () => {
  test('needs three looks, then searches the logs, then reads the holder of the nonce', () => {
    const at = (facts: Facts) =>
      decided({ facts: { mined: null, ...facts }, snapshot: { minedNonce: NONCE + 1 } });
    expect(at({})).toEqual(suspect({ kind: 'spent', tx: 1 }));
    expect(at({ looks: { spent: 2 } })).toEqual(WAIT);
    expect(at({ looks: { spent: 3 } })).toEqual({ do: 'look-back' });
    expect(look({ lookedBack: 'waits' })).toEqual(WAIT);
    expect(look({ lookedBack: 'adopted' })).toEqual(WAIT);
    expect(look({})).toEqual(ask('holder'));
  });

  test('gives up if another transaction has the nonce in a final block that every endpoint has', () => {
    const holder = { own: own(), ours: false };
    expect(look({ holder: { ...holder, own: own({ blockNumber: 101 }) } })).toEqual(WAIT);
    expect(look({ holder })).toEqual(ask('holderAgreed'));
    expect(look({ holder, holderAgreed: null })).toEqual(WAIT);
    expect(look({ holder, holderAgreed: false })).toEqual(WAIT);
    const text =
      'RELAYER_PRIVATE_KEY: another program sends with this key and took a nonce: use the key for this service only';
    const problem = { text, fields: { nonce: NONCE, tx_hash: own().hash } };
    expect(look({ holder, holderAgreed: true })).toEqual({ ...LOST, problem });
  });

  test('adopts a transaction of ours', () => {
    const holder = { own: own(), ours: true };
    expect(look({ holder, holderAgreed: true })).toEqual({ do: 'adopt', holder });
  });

  test.each([
    ['no transaction is shown at the nonce', null],
    ['one of its own forms has the nonce but no receipt', { own: own({ hash: FORM }), ours: true }],
  ])('%s: halts and reports it at every tick', (_, holder) => {
    const note = 'its nonce is spent, its receipt is not found';
    expect(look({ holder })).toEqual({ do: 'halt', note, problem: unseen });
    expect(look({ holder }, { tx: { state: 'HALTED' } })).toEqual({ do: 'wait', problem: unseen });
  });

  test('gives up an unsigned transaction or a filler', () => {
    expect(look({ holder: null }, { tx: { state: 'STAGED' } })).toEqual(LOST);
    expect(look({ holder: null }, { tx: { action: 'fill' } })).toEqual(LOST);
  });
});
