// Runs without a database.
import { randomBytes, randomUUID } from 'node:crypto';
import { etchLeaf, foldProof, bytesToHex, hexToBytes } from '@svc/protocol';
import { expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../../src/anchoring/rules.ts';
import type { Candidate } from '../../../src/anchoring/ledger/queue.ts';
import { planCommitments } from '../../../src/anchoring/steps/fold.ts';
import { during } from '../../../../../testing/turns.ts';

const candidates: Candidate[] = Array.from({ length: 10_000 }, () => ({
  kind: 0,
  etchId: randomUUID(),
  userId: randomUUID(),
  hash: randomBytes(32),
  notBefore: '2026-03-04T05:06:07.089Z',
  tries: 0,
  treeVersion: 2,
}));

// Counts turns, because times depend on the machine.
test('folds ten thousand leaves in time slices and gives each leaf its proof', async () => {
  const { made, turns } = await during(() => planCommitments(candidates, DEFAULT_RULES));
  expect(turns).toBeGreaterThan(5);
  expect(made).toHaveLength(1);
  const [{ root, members }] = made as [(typeof made)[0]];
  expect(members.map(({ etchId }) => etchId)).toEqual(candidates.map(({ etchId }) => etchId));
  for (const at of [0, 4_999, 9_999]) {
    const { userId, hash } = candidates[at]!;
    const proof = bytesToHex(members[at]!.proof).match(/.{64}/g)!;
    const folded = foldProof(etchLeaf(2, userId, bytesToHex(hash)), proof.map(hexToBytes));
    expect(bytesToHex(folded)).toBe(bytesToHex(root));
  }
});
