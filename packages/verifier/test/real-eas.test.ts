import {
  bytesToHex,
  canonicalString,
  encodeAttestationData,
  etchHash,
  etchLeaf,
  foldProof,
  hexToBytes,
  RECEIPT_FORMAT,
  SCHEMA,
} from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import { overall, rpcChain, verifyReceipt } from '@svc/verifier';
import type { Trust } from '@svc/verifier';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRealEas } from './support/real-eas.ts';
import type { RealEas } from './support/real-eas.ts';

const userId = '62f746b4-84e6-4ceb-95bd-447e7184d454';
const sibling = 'ab'.repeat(32);

let eas: RealEas;
let trust: Trust;
beforeAll(async () => {
  eas = await startRealEas(SCHEMA);
  trust = { chainId: eas.chainId, contract: eas.contract, schemaUid: eas.schemaUid, relayers: [eas.relayer] };
});
afterAll(() => eas.stop());

/** Under automine a block's time lies up to a second before the clock, so the etch is a little older. */
const words = () => {
  const createdAt = new Date(Date.now() - 3_000).toISOString();
  return canonicalString({ userId, createdAt, salt: 'cd'.repeat(32), content: 'x' });
};
const data = (root: string, kind: 0 | 1, treeVersion: 0 | 2, treeSize: number) =>
  `0x${bytesToHex(encodeAttestationData({ root: hexToBytes(root), kind, treeVersion, treeSize }))}` as const;
const toTime = (seconds: number) => new Date(seconds * 1000).toISOString();
const verify = async (receipt: Receipt) => {
  const verification = await verifyReceipt(receipt, trust, rpcChain({ urls: [eas.url] }));
  return [overall(verification), ...verification.checks.map((check) => check.badge)];
};

/** A receipt of a fresh etch as the service writes it, anchored in a tree of two or on its own. */
async function anchored(tree: boolean): Promise<Receipt> {
  const canonical = words();
  const hash = etchHash(canonical);
  const root = tree ? bytesToHex(foldProof(etchLeaf(2, userId, hash), [hexToBytes(sibling)])) : hash;
  const { uid, time } = await eas.attest(data(root, 0, tree ? 2 : 0, tree ? 2 : 1), !tree);
  return {
    _format: RECEIPT_FORMAT,
    _what_this_is: 'a receipt',
    _verify_without_etch: 'https://svc.example/verify',
    etch_id: '11111111-2222-4333-8444-555555555555',
    status: 'revealed',
    author: { user_id: userId, username: 'ada' },
    canonical_string: canonical,
    hash,
    inclusion: tree
      ? { root, proof: [sibling], tree_size: 2, tree_version: 2, leaf_rule: 'leaf', node_rule: 'node' }
      : null,
    revocation: null,
    signature: null,
    chain: {
      name: 'test',
      chain_id: eas.chainId,
      attestation_contract: eas.contract,
      schema_uid: eas.schemaUid,
      attestation_uid: uid,
      expect_onchain: root,
      relayer: eas.relayer,
      tx_hash: null,
      anchored_at: toTime(time),
    },
  };
}

test('a tree and its tombstone on the real contract', async () => {
  const receipt = await anchored(true);
  expect(await verify(receipt)).toEqual(['pass', 'match', 'included', 'attested']);
  const { root, proof, tree_size, tree_version } = receipt.inclusion!;
  const { uid, time } = await eas.attest(data(root, 1, 2, 2), false);
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

test('an attestation of its own, then revoked', async () => {
  const receipt = await anchored(false);
  expect(await verify(receipt)).toEqual(['pass', 'match', 'direct', 'attested']);
  const uid = receipt.chain.attestation_uid!;
  const time = await eas.revoke(uid as `0x${string}`);
  expect(await verify(receipt)).toEqual(['pass', 'match', 'direct', 'revoked']);
  const revocation = { retracted_at: toTime(time), attestation_uid: uid, tx_hash: null, kind: null };
  const retracted: Receipt = { ...receipt, status: 'retracted', canonical_string: null, revocation };
  expect(await verify(retracted)).toEqual(['pass', 'erased', 'direct', 'revoked']);
});

test('a uid the contract does not know waits', async () => {
  const receipt = await anchored(true);
  receipt.chain.attestation_uid = `0x${'12'.repeat(32)}`;
  expect(await verify(receipt)).toEqual(['wait', 'match', 'included', 'pending']);
});

test('another contract at the address waits', async () => {
  const receipt = await anchored(true);
  const elsewhere = `0x${'34'.repeat(20)}`;
  receipt.chain.attestation_contract = elsewhere;
  const verification = await verifyReceipt(
    receipt,
    { ...trust, contract: elsewhere },
    rpcChain({ urls: [eas.url] }),
  );
  expect(verification.checks[2]).toMatchObject({ verdict: 'wait', badge: 'unreachable' });
});
