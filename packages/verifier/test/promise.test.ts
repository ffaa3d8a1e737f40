import { expect, test } from 'vitest';
import type { Receipt } from '@svc/protocol';
import { readVector } from '../../../testing/vectors/vectors.ts';
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
  chain: { badge: string; verdict: string } = { badge: 'attested', verdict: 'pass' },
  pinned = true,
): Extract<PromisedEtch, { state: 'found' }> {
  const receipt = {
    etch_id,
    hash,
    author: { user_id, username: 'ada' },
    canonical_string: null,
    chain: { attestation_uid: anchoredAt === null ? null : '0x1' },
    ...more,
  } as Receipt;
  const verification = {
    checks: [{ verdict: 'pass' }, { verdict: 'pass' }, chain],
    recomputed_hash_matches: true,
    chain: { onchainTimestamp: anchoredAt },
  } as unknown as Verification;
  return { state: 'found', receipt, verification, pinned };
}
const judge = (etch: PromisedEtch, now: string, whom = trust, signed = promise) => {
  const { verdict, badge } = checkPromise(signed, whom, etch, at(now));
  return `${verdict} ${badge}`;
};
const elsewhere = (etch: ReturnType<typeof found>): PromisedEtch => ({ ...etch, pinned: false });
const MISMATCH = { badge: 'mismatch', verdict: 'fail' };
const contradictions = [
  found(LAST, { hash: 'f'.repeat(64) }),
  found(LAST, { author: { user_id: etch_id, username: 'x' } }),
  found(LAST, {}, MISMATCH),
  found(null),
];

test('it was for the fourth', () => expect(anchor_by).toBe('2026-01-04'));

test('kept to the last moment of the day, late after it', () => {
  expect(judge(found('2026-01-02T10:00:00.000Z'), OVER)).toBe('pass kept');
  expect(judge(found('2026-01-04T23:59:59.000Z'), OVER)).toBe('pass kept');
  expect(judge(found(OVER), OVER)).toBe('fail late');
});

test('kept by any receipt that checks, from wherever it came', () => {
  expect(judge(elsewhere(found('2026-01-02T10:00:00.000Z')), OVER)).toBe('pass kept');
});

test('kept only once the batch and the chain check', () => {
  const early = '2026-01-02T10:00:00.000Z';
  expect(judge(found(early, {}, { badge: 'pending', verdict: 'wait' }), OVER)).toBe('wait unread');
  expect(judge(found(early, {}, MISMATCH), OVER)).toBe('fail broken');
  const loose = found(early);
  loose.verification.checks[1].verdict = 'fail';
  expect(judge(loose, OVER)).toBe('fail broken');
  expect(judge(elsewhere(loose), OVER)).toBe('wait elsewhere');
});

test('pending until the day is over, broken from then on by what its origin answers', () => {
  for (const etch of [{ state: 'missing', pinned: true } as const, ...contradictions]) {
    expect(judge(etch, LAST)).toBe('wait due');
    expect(judge(etch, OVER)).toBe('fail broken');
  }
});

test('never broken by a file, by another origin or by the receipt of another etch', () => {
  expect(judge({ state: 'missing', pinned: false }, OVER)).toBe('wait elsewhere');
  for (const etch of contradictions) expect(judge(elsewhere(etch), OVER)).toBe('wait elsewhere');
  expect(judge(elsewhere(found(OVER)), OVER)).toBe('wait elsewhere');
  expect(judge(found(null, { etch_id: user_id }), OVER)).toBe('wait other-etch');
});

test('what cannot be read breaks nothing', () => {
  expect(judge({ state: 'unread', reason: 'no answer' }, OVER)).toBe('wait unread');
  const { verification, ...etch } = found(LAST);
  const unread = { ...verification, chain: { ...verification.chain, onchainTimestamp: null } };
  expect(judge({ ...etch, verification: unread }, OVER)).toBe('wait unread');
});

test('a last day that does not fit the day of the etch is refused', () => {
  const day = { ...found(LAST), createdOn: '2026-01-02' };
  expect(judge(day, LAST)).toBe('pass kept');
  expect(judge({ ...day, createdOn: '2026-01-01' }, LAST)).toBe('fail misdated');
  const words = (at: string) => ({
    canonical_string: `svc:v1|${user_id}|${at}|${'a'.repeat(64)}|words`,
  });
  expect(judge(found(LAST, words('2026-01-02T23:59:59.999Z')), LAST)).toBe('pass kept');
  expect(judge(found(LAST, words('2026-01-03T00:00:00.000Z')), LAST)).toBe('fail misdated');
  expect(judge(found(null, words('2026-01-03T00:00:00.000Z')), OVER)).toBe('fail misdated');
});

test('by a key that the reader pinned; any other waits', () => {
  const etch = found('2026-01-02T10:00:00.000Z');
  expect(judge(etch, LAST, { keys: ['0'.repeat(64)], pinned: true })).toBe('wait unknown-key');
  expect(judge(etch, LAST, { ...trust, pinned: false })).toBe('wait unknown-key');
  expect(judge(etch, LAST, { keys: [], pinned: false })).toBe('wait unknown-key');
  expect(judge({ state: 'missing', pinned: true }, OVER, { ...trust, pinned: false })).toBe(
    'wait unknown-key',
  );
  const forged = { ...promise, text: promise.text.replace('2026-01-04', '2026-01-03') };
  expect(judge(etch, LAST, trust, forged)).toBe('fail forged');
});

test('of version 2: what its origin shows beside the words breaks it at any time, and a file never', () => {
  const vector = readVector('valid/promises-v2').promises[1];
  const { description, topic, mode, reveal_at: revealAt, challenge_id: challengeId } = vector;
  const beside = { description, topic, mode, revealAt, challengeId };
  const second = (etch: PromisedEtch, now = LAST) => judge(etch, now, trust, vector.promise);
  const etch = found('2026-01-02T10:00:00.000Z');
  expect(second({ ...etch, beside })).toBe('pass kept');
  expect(second(etch)).toBe('wait unread');
  for (const edit of [
    { description: `${description}.` },
    { topic: 'science' },
    { revealAt: '2026-03-01T12:00:00.001Z' },
    { mode: 'instant' as const, revealAt: null },
    { challengeId: user_id },
  ]) {
    expect(second({ ...etch, beside: { ...beside, ...edit } }), JSON.stringify(edit)).toBe('fail edited');
    expect(second({ ...etch, beside: { ...beside, ...edit }, pinned: false })).toBe('wait elsewhere');
  }
  expect(second({ state: 'missing', pinned: true })).toBe('wait due');
  expect(second({ ...found(null), beside }, OVER)).toBe('fail broken');
  expect(second({ ...found(OVER), beside }, OVER)).toBe('fail late');
});
