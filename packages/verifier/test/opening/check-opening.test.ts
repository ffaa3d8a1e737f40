import { describe, expect, test } from 'vitest';
import { parseChainInfo, roundTime, TimelockError } from '@svc/protocol/timelock';
import { localChain } from '../../../../testing/beacon/chain.mjs';
import { invalidVectors, readVector } from '../../../../testing/vectors/vectors.ts';
import { checkOpening } from '../../src/opening/index.ts';

const vector = readVector('valid/openings');
const chain = parseChainInfo(vector.chain);
const { signature } = vector.beacon;
const [{ opening, canonical_string: words }, another, junk] = vector.openings;
const pinned = { keys: [opening.public_key as string], pinned: true };
const judge = (given: unknown, by = signature as string | null, whom = pinned, on = chain) => {
  const { verdict, badge } = checkOpening(given, whom, on, by);
  return `${verdict} ${badge}`;
};

describe('an opening of a different hash or round than was promised', () => {
  const { etch_id: id, hash, round } = opening;
  const revealAt = new Date(roundTime(chain, round)).toISOString();
  const whom = { keys: [opening.public_key], pinned: true };
  const check = (promised: object, trust = whom, by: string | null = null) => {
    const named = { id, hash, revealAt, ...promised };
    const { verdict, badge, detail } = checkOpening(opening, trust, chain, by, named);
    return [`${verdict} ${badge}`, detail] as const;
  };

  test('is the promised one when hash and round fit', () => {
    expect(check({})[0]).toBe('wait sealed');
    expect(check({}, whom, signature)[0]).toBe('pass opened');
  });

  test('is a broken promise before its round comes', () => {
    const earlier = new Date(roundTime(chain, round - 1)).toISOString();
    const [verdict, detail] = check({ revealAt: earlier });
    expect(verdict).toBe('fail broken');
    expect(detail).toContain(`round is ${round}, expected is ${round - 1}`);
    expect(check({ hash: 'f'.repeat(64) })[0]).toBe('fail broken');
    expect(check({ hash: 'f'.repeat(64) }, { keys: [], pinned: false })[0]).toBe('fail junk');
    expect(check({ hash: 'f'.repeat(64) }, { keys: ['ab'.repeat(32)], pinned: true })[0]).toBe('fail junk');
    expect(check({ hash: 'f'.repeat(64) }, { ...whom, pinned: false })[0]).toBe('fail junk');
  });

  test('waits when only a promise by a key that is not pinned differs', () => {
    const stranger = 'ab'.repeat(32);
    for (const hash of [opening.hash, 'f'.repeat(64)]) {
      const promised = { hash, signedBy: stranger, revealAt: '2020-01-01T00:00:00.000Z' };
      for (const by of [null, signature]) {
        const [verdict, detail] = check(promised, whom, by);
        expect(verdict).toBe('wait other-promise');
        expect(detail).toContain(`by the key ${stranger}, which you did not pin`);
      }
    }
    const other = { hash: 'f'.repeat(64), signedBy: opening.public_key };
    expect(check(other)[0], 'by the pinned key').toBe('fail broken');
    expect(check(other, { keys: [], pinned: false })[0], 'by the key of the opening').toBe('fail junk');
    expect(check({ signedBy: stranger }, whom, signature)[0], 'the same').toBe('pass opened');
  });

  test('says nothing about a different etch', () => {
    expect(check({ id: '11111111-2222-4333-8444-555555555555' })[0]).toBe('wait other-etch');
  });
});

describe('an opening that another implementation encrypted', () => {
  test('opens to the words with the signature of its round, by any signer', () => {
    const opened = { verdict: 'pass', canonicalString: words, parts: { content: 'It will rain on Sunday.' } };
    expect(checkOpening(opening, pinned, chain, signature)).toMatchObject(opened);
    expect(judge(opening, signature, { keys: [], pinned: false })).toBe('pass opened');
  });

  test('waits for its round, for its chain, and for the signature of its round', () => {
    const local = localChain({ genesis: 1_700_000_000, period: 1 });
    expect(judge(opening, null)).toBe('wait sealed');
    expect(checkOpening(opening, pinned, chain, null).detail).toContain('2023-08-23T15:59:24.000Z');
    expect(judge(opening, signature, pinned, parseChainInfo(local.info))).toBe('wait other-chain');
    for (const wrong of [local.sign(1_000), signature.replace(/^b4/, 'b5'), '', 'ff'.repeat(48)])
      expect(judge(opening, wrong)).toBe('wait other-beacon');
  });

  test('is rejected when it was changed or is malformed', () => {
    expect(judge({ ...opening, round: 1_001 })).toBe('fail forged');
    expect(judge({ ...opening, hash: 'f'.repeat(64) })).toBe('fail forged');
    expect(judge({ ...opening, ciphertext: opening.ciphertext.replace('a', 'b') })).toBe('fail forged');
    expect(() => judge({ ...opening, round: 0 })).toThrow(TimelockError);
  });
});

test.each([
  ['another text', another.opening],
  ['no canonical string', junk.opening],
])('signed over %s it is a promise that was broken', (_, given) => {
  expect(judge(given, null)).toBe('wait sealed');
  expect(judge(given)).toBe('fail broken');
  expect(judge(given, signature, { keys: [], pinned: false })).toBe('fail junk');
  expect(judge(given, 'ff'.repeat(48))).toBe('wait other-beacon');
});

test.each(invalidVectors('opening-'))('%s has the verdict that its vector names', (_, invalid) => {
  const verdict = () => {
    try {
      return judge(invalid.opening).split(' ')[0];
    } catch (error) {
      if (error instanceof TimelockError) return 'refuse';
      throw error;
    }
  };
  expect(invalid.beacon).toEqual(vector.beacon);
  expect(verdict()).toBe(invalid.expect);
});
