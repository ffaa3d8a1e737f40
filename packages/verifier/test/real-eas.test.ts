import { bytesToHex, canonicalString, etchHash, etchLeaf, foldProof, hexToBytes } from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import { overall, rpcChain, verifyReceipt } from '@svc/verifier';
import { expect, test } from 'vitest';
import { attestationData, receiptOf, toTime, useRealEas, userId } from './support/anchored-receipts.ts';

const real = useRealEas();
const sibling = 'ab'.repeat(32);

/** Under automine a block's time is up to a second before the clock, so the etch is a little older. */
const words = () => {
  const createdAt = new Date(Date.now() - 3_000).toISOString();
  return canonicalString({ userId, createdAt, salt: 'cd'.repeat(32), content: 'x' });
};
const verify = async (receipt: Receipt) => {
  const verification = await verifyReceipt(receipt, real.trust, rpcChain({ urls: [real.eas.url] }));
  return [overall(verification), ...verification.checks.map((check) => check.badge)];
};

async function anchored(tree: boolean): Promise<Receipt> {
  const canonical = words();
  const hash = etchHash(canonical);
  const root = tree ? bytesToHex(foldProof(etchLeaf(2, userId, hash), [hexToBytes(sibling)])) : hash;
  const { uid, time } = await real.eas.attest(attestationData(root, 0, tree ? 2 : 0, tree ? 2 : 1), !tree);
  const inclusion = tree
    ? {
        root,
        ...{ proof: [sibling], tree_size: 2, tree_version: 2 as const, leaf_rule: 'leaf', node_rule: 'node' },
      }
    : null;
  return receiptOf(real.trust, { canonical, hash, inclusion, attested: root, uid, time });
}

test('verifies a tree and its tombstone on the real contract', async () => {
  const receipt = await anchored(true);
  expect(await verify(receipt)).toEqual(['pass', 'match', 'included', 'attested']);
  const { root, proof, tree_size, tree_version } = receipt.inclusion!;
  const { uid, time } = await real.eas.attest(attestationData(root, 1, 2, 2), false);
  const retracted: Receipt = {
    ...receipt,
    status: 'retracted',
    canonical_string: null,
    revocation: {
      ...{ root, proof, tree_size, tree_version, kind: 1 },
      ...{ retracted_at: toTime(time), attestation_uid: uid, tx_hash: null },
    },
  };
  expect(await verify(retracted)).toEqual(['pass', 'erased', 'included', 'revoked']);
  retracted.revocation!.attestation_uid = receipt.chain.attestation_uid;
  expect(await verify(retracted)).toEqual(['fail', 'erased', 'included', 'mismatch']);
});

test('verifies an attestation without a tree, and its revocation', async () => {
  const receipt = await anchored(false);
  expect(await verify(receipt)).toEqual(['pass', 'match', 'direct', 'attested']);
  const uid = receipt.chain.attestation_uid!;
  const time = await real.eas.revoke(uid as `0x${string}`);
  expect(await verify(receipt)).toEqual(['pass', 'match', 'direct', 'revoked']);
  const revocation = { retracted_at: toTime(time), attestation_uid: uid, tx_hash: null, kind: null };
  const retracted: Receipt = { ...receipt, status: 'retracted', canonical_string: null, revocation };
  expect(await verify(retracted)).toEqual(['pass', 'erased', 'direct', 'revoked']);
});

test('waits for a uid that is unknown to the contract', async () => {
  const receipt = await anchored(true);
  receipt.chain.attestation_uid = `0x${'12'.repeat(32)}`;
  expect(await verify(receipt)).toEqual(['wait', 'match', 'included', 'pending']);
});

test('waits when the address has a different contract', async () => {
  const receipt = await anchored(true);
  const elsewhere = `0x${'34'.repeat(20)}`;
  receipt.chain.attestation_contract = elsewhere;
  const verification = await verifyReceipt(
    receipt,
    { ...real.trust, contract: elsewhere },
    rpcChain({ urls: [real.eas.url] }),
  );
  expect(verification.checks[2]).toMatchObject({ verdict: 'wait', badge: 'unreachable' });
});
