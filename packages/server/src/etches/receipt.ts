import { LEAF_RULES, NODE_RULE, type Receipt, RECEIPT_FORMAT } from '@svc/protocol';
import type { FormerAttestation } from './store.ts';
import { final, hex0x, treeOf } from './chain-view.ts';
import type { EtchRow } from './row.ts';
import { etchView, type ViewContext } from './view.ts';

export interface ReceiptChainContext {
  name: string;
  embedded: boolean;
  chainId: number;
  contract: string;
  schemaUid: string;
  relayer: string;
  publicRpcUrl: string;
}

export function makeFormerReceipts(
  row: EtchRow,
  now: number,
  context: ViewContext,
  former: readonly FormerAttestation[],
): Receipt[] {
  return former.map(({ commitment, tombstone, ...chain }) =>
    makeReceipt({ ...row, commitment, tombstone }, now, context, {
      ...chain,
      embedded: false,
      relayer: hex0x(commitment.sender)!,
      publicRpcUrl: '',
    }),
  );
}

/** docs/specification.md#receipt */
export function makeReceipt(
  row: EtchRow,
  now: number,
  context: ViewContext,
  chain: ReceiptChainContext,
  former: readonly Receipt[] = [],
): Receipt {
  const view = etchView(row, now, context);
  const commitment = final(row.commitment);
  const tree = treeOf(commitment);
  return {
    _format: RECEIPT_FORMAT,
    _what_this_is: whatThisIs(chain),
    _verify_without_etch: `${context.baseUrl}/verify`,
    etch_id: row.id,
    status: view.status,
    author: { user_id: row.user_id, username: row.username },
    canonical_string: view.canonical_string,
    hash: view.hash,
    inclusion:
      tree.root === null ? null : { ...tree, leaf_rule: LEAF_RULES[tree.tree_version], node_rule: NODE_RULE },
    revocation: revocation(row),
    signature: view.signature,
    chain: {
      name: chain.name,
      chain_id: chain.chainId,
      attestation_contract: chain.contract,
      schema_uid: chain.schemaUid,
      attestation_uid: hex0x(commitment?.uid),
      expect_onchain: commitment ? commitment.root.toString('hex') : null,
      relayer: hex0x(commitment?.sender) ?? chain.relayer,
      tx_hash: hex0x(commitment?.tx_hash),
      anchored_at: commitment?.anchored_at ?? null,
    },
    ...(former.length > 0 && { former: former.map((receipt) => receipt.chain) }),
  };
}

function revocation(row: EtchRow): Receipt['revocation'] {
  if (row.status !== 'retracted' || row.retracted_at === null) return null;
  const tombstone = final(row.tombstone);
  const attested = {
    retracted_at: row.retracted_at,
    attestation_uid: hex0x(tombstone?.uid),
    tx_hash: hex0x(tombstone?.tx_hash),
  };
  // Its attestation was revoked, so the retraction has no tree.
  if (row.commitment?.tree_version === 0) return { ...attested, kind: null };
  return { ...attested, ...treeOf(tombstone), kind: 1 };
}

function whatThisIs(chain: ReceiptChainContext): string {
  return [
    'Proof that a text existed unchanged by the time of an attestation on a public blockchain.',
    'Check: (1) sha256 of canonical_string is hash; (2) the leaf made by leaf_rule, folded with proof by node_rule,',
    'is root; (3) getAttestation(attestation_uid) of attestation_contract on chain chain_id answers data that begins',
    'with expect_onchain, under schema_uid, attested by relayer: compare these with what you know of this service',
    `from elsewhere, not only with this file. The chain can be read at ${chain.publicRpcUrl === '' ? 'any node' : `${chain.publicRpcUrl} or any node of your own`}.`,
    ...(chain.embedded ? ['This chain is a development chain: its proofs convince nobody else.'] : []),
  ].join(' ');
}
