import { expect, test } from 'vitest';
import type { Receipt } from '@svc/protocol';
import { readVector } from '../../protocol/test/vectors.ts';
import { checkPromise } from '../src/index.ts';
import type { PromisedEtch, Verification } from '../src/index.ts';

const { promise, etch_id, user_id, hash, anchor_by } = readVector('valid/promises').promises[0];
const trust = { keys: [promise.public_key as string], pinned: true };
const at = (time: string) => Date.parse(time);
const LAST = '2026-01-04T23:59:59.999Z';
const OVER = '2026-01-05T00:00:00.000Z';

/** An etch as far as a promise looks at it. */
function found(
  anchoredAt: string | null,
  more: Partial<Receipt> = {},
  chainBadge = 'attested',
): PromisedEtch {
  const receipt = {
    etch_id,
    hash,
    author: { user_id, username: 'ada' },
    chain: { attestation_uid: anchoredAt === null ? null : '0x1' },
    ...more,
  } as Receipt;
  const verification = {
    checks: [{ verdict: 'pass' }, { verdict: 'pass' }, { verdict: 'pass', badge: chainBadge }],
    chain: { onchainTimestamp: anchoredAt },
  } as unknown as Verification;
  return { state: 'found', receipt, verification };
}
const judge = (etch: PromisedEtch, now: string, whom = trust, signed = promise) => {
  const { verdict, badge } = checkPromise(signed, whom, etch, at(now));
  return `${verdict} ${badge}`;
};

test('it was for the fourth', () => expect(anchor_by).toBe('2026-01-04'));

test('kept to the last moment of the day, late after it', () => {
  expect(judge(found('2026-01-02T10:00:00.000Z'), OVER)).toBe('pass kept');
  expect(judge(found('2026-01-04T23:59:59.000Z'), OVER)).toBe('pass kept');
  expect(judge(found(OVER), OVER)).toBe('fail late');
});

test('pending until the day is over, broken from then on', () => {
  expect(judge(found(null), LAST)).toBe('wait due');
  expect(judge(found(null), OVER)).toBe('fail broken');
});

test('broken at once when the etch is gone, or another one', () => {
  expect(judge({ state: 'missing' }, LAST)).toBe('fail broken');
  expect(judge(found(LAST, { hash: 'f'.repeat(64) }), LAST)).toBe('fail broken');
  expect(judge(found(LAST, { etch_id: user_id }), LAST)).toBe('fail broken');
  expect(judge(found(LAST, { author: { user_id: etch_id, username: 'x' } }), LAST)).toBe('fail broken');
  expect(judge(found(LAST, {}, 'mismatch'), LAST)).toBe('fail broken');
});

test('what cannot be read breaks nothing', () => {
  expect(judge({ state: 'unread', reason: 'no answer' }, OVER)).toBe('wait unread');
  const { receipt, verification } = found(LAST) as Extract<PromisedEtch, { state: 'found' }>;
  const unread = { ...verification, chain: { ...verification.chain, onchainTimestamp: null } };
  expect(judge({ state: 'found', receipt, verification: unread }, OVER)).toBe('wait unread');
});

test('by a key that counts', () => {
  const etch = found('2026-01-02T10:00:00.000Z');
  expect(judge(etch, LAST, { keys: ['0'.repeat(64)], pinned: true })).toBe('fail unknown-key');
  expect(judge(etch, LAST, { keys: ['0'.repeat(64)], pinned: false })).toBe('wait unknown-key');
  expect(judge(etch, LAST, { keys: [], pinned: false })).toBe('wait unknown-key');
  const forged = { ...promise, text: promise.text.replace('2026-01-04', '2026-01-03') };
  expect(judge(etch, LAST, trust, forged)).toBe('fail forged');
});
