// Runs without a database.
import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../src/anchoring/decide/decision.ts';
import {
  ask,
  decided,
  FORM,
  mined,
  NONCE,
  NOW,
  OTHER,
  OTHER_BLOCK,
  type Scene,
  suspect,
  WAIT,
} from './scene.ts';

const ANCHORED = [{ batchId: 3, uid: FORM, time: NOW }];
const look = (facts: Facts, scene: Scene = {}) =>
  decided({
    ...scene,
    tx: { state: 'MINED', ...scene.tx },
    facts: { mined: mined(), ...facts },
    snapshot: { minedNonce: NONCE + 1, ...scene.snapshot },
  });
const doubt = (what: string) => {
  const text = `CHAIN_RPC_URL: a mined transaction does not match the ledger: ${what}`;
  return { do: 'wait', problem: { text, fields: { nonce: NONCE } } };
};

describe('a mined transaction', () => {
  test('becomes final when it is deep enough, reads back, and every endpoint has its block', () => {
    const young = mined({ block: { number: 101 } });
    expect(look({ mined: young })).toEqual(WAIT);
    expect(look({})).toEqual(ask('readBack'));
    const readBack = { verdict: 'holds', anchored: ANCHORED } as const;
    expect(look({ readBack })).toEqual(ask('blockAgreed'));
    expect(look({ readBack, blockAgreed: null })).toEqual(WAIT);
    expect(look({ readBack, blockAgreed: false })).toEqual(doubt('another block replaced its block'));
    const final = { do: 'mark-final', block: mined().block, anchored: ANCHORED };
    expect(look({ readBack, blockAgreed: true })).toEqual(final);
  });

  test('is marked mined again in another block', () => {
    const moved = mined({ block: { hash: OTHER_BLOCK } });
    expect(look({ mined: moved })).toEqual({ do: 'mark-mined', mined: moved });
    expect(look({ mined: moved }, { tx: { blockHash: OTHER_BLOCK } })).toEqual(ask('readBack'));
  });

  test('makes a filler final without reading it back', () => {
    const tx = { action: 'fill' as const };
    expect(look({}, { tx })).toEqual(ask('blockAgreed'));
    expect(look({ blockAgreed: true }, { tx })).toMatchObject({ do: 'mark-final', anchored: [] });
  });

  test('waits for another look if an attestation does not match', () => {
    expect(look({ readBack: { verdict: 'doubt', what: 'it is odd' } })).toEqual(doubt('it is odd'));
    expect(look({ readBack: { verdict: 'pending' } }, { tx: { action: 'revoke' } })).toEqual(WAIT);
  });
});

describe('a failed transaction', () => {
  const reverted = mined({ succeeded: false });
  const tooEarly = mined({ block: { timestamp: NOW - 11 } });

  test.each([
    ['it was reverted', reverted],
    ['its block is older than its newest etch', tooEarly],
  ])('%s: is given up only if every endpoint agrees, after three looks', (note, seen) => {
    expect(look({ mined: seen }, { snapshot: { minedNonce: NONCE } })).toEqual(doubt(note));
    expect(look({ mined: seen }, { tx: { sender: OTHER } })).toEqual(doubt(note));
    expect(look({ mined: seen })).toEqual(suspect({ kind: 'failed', tx: 1 }));
    expect(look({ mined: seen, looks: { failed: 2 } })).toEqual(doubt(note));
    const sure: Facts = { mined: seen, looks: { failed: 3 } };
    expect(look(sure)).toEqual(ask('secondOpinion'));
    const alone = doubt(`${note}, but not every endpoint agrees`);
    expect(look({ ...sure, secondOpinion: null })).toEqual(alone);
    expect(look({ ...sure, secondOpinion: mined() })).toEqual(alone);
    const elsewhere = mined({ succeeded: false, block: { hash: OTHER_BLOCK } });
    expect(look({ ...sure, secondOpinion: elsewhere })).toEqual(alone);
    expect(look({ ...sure, secondOpinion: seen })).toEqual({ do: 'requeue', note, anchored: [] });
  });

  test('reads a reverted revocation back, because another transaction may have revoked', () => {
    const tx = { action: 'revoke' as const };
    expect(look({ mined: reverted }, { tx })).toEqual(ask('readBack'));
    const readBack = { verdict: 'unrevoked', anchored: ANCHORED } as const;
    const after = (unrevoked: number) => look({ readBack, looks: { unrevoked } }, { tx });
    expect(look({ readBack }, { tx })).toEqual(suspect({ kind: 'unrevoked', tx: 1 }));
    expect(after(2)).toEqual(doubt('an attestation is not revoked yet'));
    const note = 'it did not revoke everything';
    expect(after(3)).toEqual({ do: 'requeue', note, anchored: ANCHORED });
  });
});
