import { overall, verifyReceipt, type Verification } from '@svc/verifier';
import { blockHashes, verifyEvidence } from '@svc/verifier/evidence';
import { expect, test } from 'vitest';
import { readerOf, receiptVectors, trustOf } from '../../../testing/vectors/receipts.ts';
import { invalidVectors } from '../../../testing/vectors/vectors.ts';
import { causeOf } from '../src/parts/checks.tsx';

// Malformed files have no verdict.
const failed: [string, Verification][] = [];
for (const [name, vector] of receiptVectors())
  failed.push([name, await verifyReceipt(vector.receipt, trustOf(vector), readerOf(vector))]);
for (const [name, vector] of invalidVectors('evidence-')) {
  const found = verifyEvidence(vector.evidence, trustOf(vector), blockHashes(vector.block_hashes));
  const one = await found.catch(() => null);
  if (one !== null) failed.push([name, one]);
}

const CHANGED = 'The words in this file were changed: their hash no longer matches.';
const SAID: Record<string, string> = {
  'receipt-content-changed': CHANGED,
  'receipt-created-at-changed': CHANGED,
  'receipt-salt-changed': CHANGED,
  'receipt-hash-changed': CHANGED,
  'evidence-receipt-changed': CHANGED,
  'receipt-proof-cut': 'The etch does not fold to the root: it is not in this tree.',
  'receipt-tombstone-size-below-its-proof':
    "The tombstone's proof has an impossible length: 1 in a tree of 1.",
  'receipt-tombstone-does-not-fold': 'The tombstone does not fold to the root it names.',
  'receipt-tombstone-of-kind-0': "The tombstone's attestation does not count: its kind is 0, not 1.",
  'evidence-single-with-a-tombstone-kind':
    'The etch has its own attestation, which a retraction revokes: a tombstone does not count.',
};

test.each(failed.filter(([, found]) => overall(found) === 'fail'))(
  'names the cause of %s in one sentence',
  (name, found) => {
    const cause = causeOf(found);
    expect(cause).toMatch(/^[A-Z]((?!\. ).)*\.$/s);
    expect(cause).toBe(SAID[name] ?? cause);
    if (cause !== CHANGED)
      expect(found.checks.find(({ verdict }) => verdict === 'fail')!.detail).toContain(cause);
    else expect(found.recomputed_hash_matches).toBe(false);
  },
);
