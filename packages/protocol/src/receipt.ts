import { Fields, ReceiptError } from './receipt-fields.ts';
import { MAX_PROOF_LENGTH, MAX_TREE_SIZE } from './tree.ts';

export const RECEIPT_FORMAT = 'svc-receipt:v1';

export interface Inclusion {
  root: string;
  proof: string[];
  tree_size: number;
  tree_version: 1 | 2;
  leaf_rule: string;
  node_rule: string;
}

/** All anchor fields are null until the retraction is final. */
export interface TreeRevocation {
  retracted_at: string;
  root: string | null;
  proof: string[] | null;
  tree_size: number | null;
  tree_version: 1 | 2 | null;
  attestation_uid: string | null;
  tx_hash: string | null;
  kind: 1;
}

/** Without a tree: the attestation is revoked. */
export interface SingleRevocation {
  retracted_at: string;
  attestation_uid: string | null;
  tx_hash: string | null;
  kind: null;
}

export type Revocation = TreeRevocation | SingleRevocation;

export interface ReceiptSignature {
  value: string;
  public_key: string;
}

/** Without an attestation, the four nullable fields are null. */
export interface ReceiptChain {
  name: string;
  chain_id: number;
  attestation_contract: string;
  schema_uid: string;
  attestation_uid: string | null;
  /** first 32 bytes of the attested data */
  expect_onchain: string | null;
  relayer: string;
  tx_hash: string | null;
  anchored_at: string | null;
}

/** `GET /etches/{id}/receipt` (docs/specification.md#receipt). */
export interface Receipt {
  _format: typeof RECEIPT_FORMAT;
  _what_this_is: string;
  _verify_without_etch: string;
  etch_id: string;
  status: 'sealed' | 'revealed' | 'retracted';
  author: { user_id: string; username: string };
  canonical_string: string | null;
  hash: string;
  /** null while pending, and without a tree */
  inclusion: Inclusion | null;
  revocation: Revocation | null;
  signature: ReceiptSignature | null;
  chain: ReceiptChain;
  /** on chains that the service left, oldest first */
  former?: ReceiptChain[];
}

/**
 * Drops unknown fields (docs/specification.md#receipt).
 * @throws {ReceiptError} naming the first field that is missing, malformed or contradicts the status
 * @example
 * parseReceipt(receipt).status; // 'revealed'
 */
export function parseReceipt(value: unknown): Receipt {
  const fields = Fields.of(value, '');
  fields.oneOf('_format', [RECEIPT_FORMAT]);
  const status = fields.oneOf('status', ['sealed', 'revealed', 'retracted'] as const);
  const author = fields.object('author');
  const receipt: Receipt = {
    _format: RECEIPT_FORMAT,
    _what_this_is: fields.text('_what_this_is'),
    _verify_without_etch: fields.text('_verify_without_etch'),
    etch_id: fields.uuid('etch_id'),
    status,
    author: { user_id: author.uuid('user_id'), username: author.text('username') },
    canonical_string: fields.nullable('canonical_string', (name) => fields.text(name)),
    hash: fields.hex('hash', 32),
    inclusion: fields.nullable('inclusion', (name) => parseInclusion(fields.object(name))),
    revocation: fields.nullable('revocation', (name) => parseRevocation(fields.object(name))),
    signature: fields.nullable('signature', (name) => parseSignature(fields.object(name))),
    chain: parseChain(fields.object('chain')),
    ...(fields.has('former') && { former: fields.list('former').map(parseFormer) }),
  };
  checkStatus(receipt);
  checkAnchoring(receipt);
  return receipt;
}

const parseFormer = (value: unknown, at: number): ReceiptChain =>
  parseChain(Fields.of(value, `former[${at}].`));

/** Otherwise a removed field would weaken a receipt. */
function checkStatus({ status, canonical_string, signature, revocation }: Receipt): void {
  const disclosed = status === 'revealed';
  if (disclosed !== (canonical_string !== null))
    throw new ReceiptError(
      'canonical_string',
      disclosed ? 'is missing though revealed' : `must be null while ${status}`,
    );
  if (!disclosed && signature !== null) throw new ReceiptError('signature', `must be null while ${status}`);
  if (status !== 'retracted' && revocation !== null)
    throw new ReceiptError('revocation', `must be null while ${status}`);
}

function checkAnchoring({ inclusion, chain }: Receipt): void {
  if (chain.attestation_uid !== null) {
    if (chain.expect_onchain === null)
      throw new ReceiptError('chain.expect_onchain', 'is missing though anchored');
    return;
  }
  if (inclusion !== null)
    throw new ReceiptError('inclusion', 'must be null while the attestation is pending');
  for (const name of ['expect_onchain', 'tx_hash', 'anchored_at'] as const)
    if (chain[name] !== null)
      throw new ReceiptError(`chain.${name}`, 'must be null while the attestation is pending');
}

function parseInclusion(fields: Fields): Inclusion {
  return {
    root: fields.hex('root', 32),
    proof: fields.hashes('proof', MAX_PROOF_LENGTH),
    tree_size: fields.integer('tree_size', 1, MAX_TREE_SIZE),
    tree_version: fields.oneOf('tree_version', [1, 2] as const),
    leaf_rule: fields.text('leaf_rule'),
    node_rule: fields.text('node_rule'),
  };
}

function parseRevocation(fields: Fields): Revocation {
  const common = {
    retracted_at: fields.time('retracted_at'),
    attestation_uid: fields.nullable('attestation_uid', (name) => fields.prefixedHex(name, 32)),
    tx_hash: fields.nullable('tx_hash', (name) => fields.prefixedHex(name, 32)),
  };
  const anchored = common.attestation_uid !== null;
  const untimely = (name: string) =>
    new ReceiptError(`revocation.${name}`, 'must be null while the retraction is pending');
  if (!anchored && common.tx_hash !== null) throw untimely('tx_hash');
  if (fields.oneOf('kind', [1, null] as const) === null) return { ...common, kind: null };
  const revocation: TreeRevocation = {
    ...common,
    root: fields.nullable('root', (name) => fields.hex(name, 32)),
    proof: fields.nullable('proof', (name) => fields.hashes(name, MAX_PROOF_LENGTH)),
    tree_size: fields.nullable('tree_size', (name) => fields.integer(name, 1, MAX_TREE_SIZE)),
    tree_version: fields.nullable('tree_version', (name) => fields.oneOf(name, [1, 2] as const)),
    kind: 1,
  };
  for (const name of ['root', 'proof', 'tree_size', 'tree_version'] as const) {
    if (anchored && revocation[name] === null)
      throw new ReceiptError(`revocation.${name}`, 'is missing though the tombstone is anchored');
    if (!anchored && revocation[name] !== null) throw untimely(name);
  }
  return revocation;
}

function parseSignature(fields: Fields): ReceiptSignature {
  return { value: fields.hex('value', 64), public_key: fields.hex('public_key', 32) };
}

function parseChain(fields: Fields): ReceiptChain {
  return {
    name: fields.text('name'),
    chain_id: fields.integer('chain_id', 1, Number.MAX_SAFE_INTEGER),
    attestation_contract: fields.address('attestation_contract'),
    schema_uid: fields.prefixedHex('schema_uid', 32),
    attestation_uid: fields.nullable('attestation_uid', (name) => fields.prefixedHex(name, 32)),
    expect_onchain: fields.nullable('expect_onchain', (name) => fields.hex(name, 32)),
    relayer: fields.address('relayer'),
    tx_hash: fields.nullable('tx_hash', (name) => fields.prefixedHex(name, 32)),
    anchored_at: fields.nullable('anchored_at', (name) => fields.time(name)),
  };
}
