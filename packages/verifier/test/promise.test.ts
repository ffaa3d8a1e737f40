import { describe, expect, test } from 'vitest';
import type { Receipt } from '@svc/protocol';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';
import { checkPromise } from '../src/index.ts';
import type { PromisedEtch, Verification } from '../src/index.ts';

const vector = readVector('valid/promises').promises[0];
const { promise, etch_id, user_id, hash, anchor_by } = vector;
const publicFieldsOf = ({ description, topic, mode, ...more }: typeof vector) => ({
  description,
  topic,
  mode,
  revealAt: more.reveal_at,
  challengeId: more.challenge_id,
});
const trust = { keys: [promise.public_key as string], pinned: true };
const at = (time: string) => Date.parse(time);
const EARLY = '2026-01-02T10:00:00.000Z';
const LAST = '2026-01-04T23:59:59.999Z';
const OVER = '2026-01-05T00:00:00.000Z';

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
  return { state: 'found', receipt, verification, pinned, publicFields: publicFieldsOf(vector) };
}
const judge = (etch: PromisedEtch, now: string, whom = trust, signed = promise, content?: string) => {
  const { verdict, badge } = checkPromise({ promise: signed, content }, whom, etch, at(now));
  return `${verdict} ${badge}`;
};
const elsewhere = (etch: ReturnType<typeof found>) => ({ ...etch, pinned: false });
const MISMATCH = { badge: 'mismatch', verdict: 'fail' };
const contradictions = [
  found(LAST, { hash: 'f'.repeat(64) }),
  found(LAST, { author: { user_id: etch_id, username: 'x' } }),
  found(LAST, {}, MISMATCH),
  found(null),
];

test('promises the anchor by the fourth day', () => expect(anchor_by).toBe('2026-01-04'));

test('is kept until the end of the day, and late after it', () => {
  expect(judge(found(EARLY), OVER)).toBe('pass kept');
  expect(judge(found('2026-01-04T23:59:59.000Z'), OVER)).toBe('pass kept');
  expect(judge(found(OVER), OVER)).toBe('fail late');
});

test('waits for the evidence of a chain that the service left', () => {
  const former = (time: string) => ({
    former: [{ name: 'old', chain_id: 1101, anchored_at: time }] as Receipt['former'] & object,
  });
  const early = former(EARLY);
  expect(judge(found(OVER, early), OVER)).toBe('wait elsewhere');
  expect(judge(found(null, early), OVER)).toBe('wait elsewhere');
  expect(judge(found(OVER, early, MISMATCH), OVER)).toBe('wait elsewhere');
  expect(judge(found(EARLY, early), OVER)).toBe('pass kept');
  const unfolded = found(OVER, early);
  unfolded.verification.checks[1] = { ...unfolded.verification.checks[1], verdict: 'fail' };
  expect(judge(unfolded, OVER)).toBe('fail broken');
  expect(judge(found(OVER, former(OVER)), OVER)).toBe('fail late');
  expect(judge(found(null, former(OVER)), OVER)).toBe('fail broken');
});

test('is kept by any receipt that passes, from any source', () => {
  expect(judge(elsewhere(found(EARLY)), OVER)).toBe('pass kept');
});

test('is kept only when the batch and the chain pass', () => {
  expect(judge(found(EARLY, {}, { badge: 'pending', verdict: 'wait' }), OVER)).toBe('wait unread');
  expect(judge(found(EARLY, {}, MISMATCH), OVER)).toBe('fail broken');
  const loose = found(EARLY);
  loose.verification.checks[1].verdict = 'fail';
  expect(judge(loose, OVER)).toBe('fail broken');
  expect(judge(elsewhere(loose), OVER)).toBe('wait elsewhere');
});

test('is pending until the day is over, and then broken by the answers of its origin', () => {
  for (const etch of [{ state: 'missing', pinned: true } as const, ...contradictions]) {
    expect(judge(etch, LAST)).toBe('wait due');
    expect(judge(etch, OVER)).toBe('fail broken');
  }
});

test('is never broken by a file, a different origin, or the receipt of a different etch', () => {
  expect(judge({ state: 'missing', pinned: false }, OVER)).toBe('wait elsewhere');
  for (const etch of contradictions) expect(judge(elsewhere(etch), OVER)).toBe('wait elsewhere');
  expect(judge(elsewhere(found(OVER)), OVER)).toBe('wait elsewhere');
  expect(judge(found(null, { etch_id: user_id }), OVER)).toBe('wait other-etch');
});

test('is not broken by an etch that cannot be read', () => {
  expect(judge({ state: 'unread', reason: 'no answer' }, OVER)).toBe('wait unread');
  const { verification, ...etch } = found(LAST);
  const unread = { ...verification, chain: { ...verification.chain, onchainTimestamp: null } };
  expect(judge({ ...etch, verification: unread }, OVER)).toBe('wait unread');
});

test('fails when its last day does not fit the day of the etch', () => {
  const day = { ...found(LAST), createdOn: '2026-01-02' };
  expect(judge(day, LAST)).toBe('pass kept');
  expect(judge({ ...day, createdOn: '2026-01-01' }, LAST)).toBe('fail misdated');
  // Neither a file nor a service that is not pinned decides against the service.
  for (const now of [LAST, OVER]) {
    expect(judge({ ...elsewhere(day), createdOn: '2026-01-01' }, now)).toBe('wait elsewhere');
    expect(judge({ ...elsewhere(found(null)), createdOn: '2026-01-01' }, now)).toBe('wait elsewhere');
  }
  const words = (at: string) => ({
    canonical_string: `svc:v1|${user_id}|${at}|${'a'.repeat(64)}|${vector.content}`,
  });
  expect(judge(found(LAST, words('2026-01-02T23:59:59.999Z')), LAST)).toBe('pass kept');
  expect(judge(found(LAST, words('2026-01-03T00:00:00.000Z')), LAST)).toBe('fail misdated');
  expect(judge(found(null, words('2026-01-03T00:00:00.000Z')), OVER)).toBe('fail misdated');
  expect(judge(elsewhere(found(null, words('2026-01-03T00:00:00.000Z'))), OVER)).toBe('fail misdated');
  // Proven words come before any stated day.
  const stated = { ...found(LAST, words('2026-01-02T12:00:00.000Z')), createdOn: '2026-01-01' };
  expect(judge(stated, LAST)).toBe('pass kept');
});

test('needs a pinned key, and waits with any other', () => {
  const etch = found(EARLY);
  expect(judge(etch, LAST, { keys: ['0'.repeat(64)], pinned: true })).toBe('wait unknown-key');
  expect(judge(etch, LAST, { ...trust, pinned: false })).toBe('wait unknown-key');
  expect(judge(etch, LAST, { keys: [], pinned: false })).toBe('wait unknown-key');
  const missing = { state: 'missing', pinned: true } as const;
  expect(judge(missing, OVER, { ...trust, pinned: false })).toBe('wait unknown-key');
  const forged = { ...promise, text: promise.text.replace('2026-01-04', '2026-01-03') };
  expect(judge(etch, LAST, trust, forged)).toBe('fail forged');
});

test('is broken at any time by changed public fields from its own origin', () => {
  const other = readVector('valid/promises').promises[5];
  const etch = {
    ...found(EARLY, { etch_id: other.etch_id, hash: other.hash }),
    publicFields: publicFieldsOf(other),
  };
  const judged = (of: PromisedEtch, now = LAST) => judge(of, now, trust, other.promise);
  expect(judged(etch)).toBe('pass kept');
  for (const edit of [
    { description: `${other.description}.` },
    { topic: 'science' },
    { revealAt: '2026-03-01T12:00:00.001Z' },
    { mode: 'instant' as const, revealAt: null },
    { challengeId: user_id },
  ]) {
    const edited = { ...etch, publicFields: { ...etch.publicFields, ...edit } };
    expect(judged(edited), JSON.stringify(edit)).toBe('fail edited');
    expect(judged(elsewhere(edited))).toBe('wait elsewhere');
  }
});

test.each([
  [vector.description, false],
  ['Taken down by the operator', true],
])('says whether the operator took down the description %j', (description, isTold) => {
  const etch = { ...found(EARLY), publicFields: { ...publicFieldsOf(vector), description } };
  const { badge, evidence } = checkPromise({ promise, content: undefined }, trust, etch, at(OVER));
  expect(badge).toBe('kept');
  expect(evidence.some(({ label }) => label === 'Description')).toBe(isTold);
});

test('is not shown as kept by a receipt without the public fields', () => {
  const { publicFields: _, ...receiptAlone } = found(EARLY);
  expect(judge(receiptAlone, LAST)).toBe('wait unread');
});

describe('the accepted content', () => {
  const broken = readVector('invalid/content-revealed-was-not-accepted');
  const of = (canonical: string | null, hashed = hash) =>
    found(EARLY, { canonical_string: canonical, hash: hashed });
  const [, brokenId, , brokenHash] = broken.promise.text.split('|');
  const other = of(broken.canonical_string, brokenHash);
  const brokenEtch = { ...other, receipt: { ...other.receipt, etch_id: brokenId } };

  test('keeps the promise when it equals the revealed content', () => {
    expect(judge(of(vector.canonical_string), LAST, trust, promise, vector.content)).toBe('pass kept');
    expect(judge(of(vector.canonical_string), LAST)).toBe('pass kept');
    expect(judge(of(null), LAST, trust, promise, vector.content)).toBe('pass kept');
  });

  test('breaks the promise, from any source and at any time, when other content was revealed', () => {
    const { nonce: _, ...shown } = broken.promise;
    for (const etch of [brokenEtch, elsewhere(brokenEtch), { ...brokenEtch, publicFields: undefined }])
      expect(judge(etch, LAST, trust, broken.promise, broken.content)).toBe('fail other-content');
    const late = { ...brokenEtch, verification: found(OVER).verification };
    expect(judge(late, OVER, trust, broken.promise, broken.content)).toBe('fail other-content');
    expect(judge(brokenEtch, LAST, trust, broken.promise), 'a wrong nonce does the same').toBe('wait unread');
    expect(judge(brokenEtch, LAST, trust, shown), 'without nonce nothing is known').toBe('pass kept');
    expect(judge(brokenEtch, LAST, trust, shown, broken.content)).toBe('wait unread');
    expect(judge({ ...brokenEtch, publicFields: undefined }, LAST, trust, shown)).toBe('wait unread');
  });

  test('does not hide a broken promise when it is wrong', () => {
    const late = { ...of(null), verification: found(OVER).verification };
    expect(judge(late, OVER, trust, promise, 'x')).toBe('fail late');
    expect(judge(found(null), OVER, trust, promise, 'x')).toBe('fail broken');
  });

  test('is compared only with words that make the hash', () => {
    const verification = { ...brokenEtch.verification, recomputed_hash_matches: false };
    const loose = { ...brokenEtch, verification };
    expect(judge(loose, LAST, trust, broken.promise, broken.content)).toBe('pass kept');
  });

  test.each(invalidVectors('content-').filter(([, { canonical_string }]) => canonical_string === undefined))(
    'is not shown by %s',
    (_, given) => {
      const etch = of(vector.canonical_string);
      const [, id, , hashed] = given.promise.text.split('|');
      const receipt = { ...etch.receipt, etch_id: id, hash: hashed, canonical_string: null };
      expect(judge({ ...etch, receipt }, LAST, trust, given.promise, given.content)).toBe('wait unread');
    },
  );
});
