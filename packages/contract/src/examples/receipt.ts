import { RECEIPT_FORMAT } from '@svc/protocol';
import type { Receipt } from '../resources/receipt.ts';
import * as world from './world.ts';

export const receipt: Receipt = {
  _format: RECEIPT_FORMAT,
  _what_this_is: `Proof that an etch existed at a time. Check it without us: ${world.origin}/verify`,
  _verify_without_etch: `${world.origin}/verify`,
  etch_id: world.etchId,
  status: 'revealed',
  author: { user_id: world.adaId, username: 'ada' },
  canonical_string: world.canonicalString,
  hash: world.hash,
  inclusion: {
    root: world.root,
    proof: [world.otherLeaf],
    tree_size: 2,
    tree_version: 2,
    leaf_rule: 'sha256(0x00 || author user id as 16 raw bytes || hash)',
    node_rule: 'sha256(0x01 || min(a,b) || max(a,b))',
  },
  revocation: null,
  signature: null,
  chain: {
    name: 'devnet',
    chain_id: 31337,
    attestation_contract: '0x2e7d2c03a9507ae265ecf5b5356885a53393a202',
    schema_uid: '0xdf0ad6e43880f09c90ebf95f19110178aba6890df0010ebda7485029e2b543b4',
    attestation_uid: world.uid,
    expect_onchain: world.root,
    relayer: '0x454349e422f05297191ead13e21d3db520e5abef',
    tx_hash: world.txHash,
    anchored_at: world.anchoredAt,
  },
};
