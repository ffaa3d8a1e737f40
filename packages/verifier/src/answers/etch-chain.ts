import { isHex, isUuid } from '@svc/protocol';
import { foldedRoot, isPossibleLength } from '../batch.ts';
import { type Fields, fieldsOf, type Misfits } from './misfit.ts';

const ANCHORING = ['attestation_uid', 'tx_hash', 'anchored_at'] as const;
const INCLUSION = ['root', 'proof', 'tree_size', 'tree_version'] as const;
const REVOCATION = ['revocation_attestation_uid', 'revocation_tx_hash', 'revoked_onchain_at'] as const;
const REVOCATION_TREE = ['revocation_root', 'revocation_proof', 'revocation_tree_version'] as const;

/** Reads no chain (docs/specification.md#chain). */
export function checkEtchChain(misfits: Misfits, etch: Fields): void {
  const chain = fieldsOf(etch['chain']);
  const isAnchored = chain['status'] === 'anchored';
  const isRevoked = chain['revocation_status'] === 'revoked';
  misfits.need(
    isAnchored || chain['status'] === 'pending' || chain['status'] === 'failed',
    'status',
    chain['status'],
    'pending, anchored or failed',
  );
  if (etch['status'] === 'retracted')
    misfits.need(
      isRevoked || chain['revocation_status'] === 'pending' || chain['revocation_status'] === 'failed',
      'revocation_status',
      chain['revocation_status'],
      'pending, revoked or failed, because it is retracted',
    );
  else misfits.equal('revocation_status', chain['revocation_status'], 'none');
  present(misfits, chain, ANCHORING, isAnchored);
  present(misfits, chain, INCLUSION, isAnchored && chain['root'] !== null);
  present(misfits, chain, REVOCATION, isRevoked);
  present(misfits, chain, REVOCATION_TREE, isRevoked && chain['revocation_root'] !== null);
  link(misfits, chain, 'attscan_url', 'attestation_uid');
  link(misfits, chain, 'tx_url', 'tx_hash');
  link(misfits, chain, 'revocation_tx_url', 'revocation_tx_hash');
  fold(misfits, etch, chain, ['root', 'proof', 'tree_version', 'tree_size']);
  fold(misfits, etch, chain, ['revocation_root', 'revocation_proof', 'revocation_tree_version', undefined]);
}

function present(misfits: Misfits, chain: Fields, fields: readonly string[], expected: boolean): void {
  for (const field of fields)
    if (expected) misfits.need(chain[field] != null, field, chain[field], 'a value, because of the status');
    else misfits.equal(field, chain[field], null);
}

/** The service chooses the explorer. */
function link(misfits: Misfits, chain: Fields, field: string, to: string): void {
  const { [field]: url, [to]: target } = chain;
  if (url !== null)
    misfits.need(
      typeof url === 'string' && typeof target === 'string' && url.endsWith(`/${target}`),
      field,
      url,
      `null, or an address that ends with ${String(target)}`,
    );
}

type Names = readonly [root: string, proof: string, version: string, size: string | undefined];

function fold(misfits: Misfits, etch: Fields, chain: Fields, [root, proof, version, size]: Names): void {
  const { [root]: named, [proof]: siblings, [version]: treeVersion } = chain;
  if (named === null) return;
  const { user_id: userId } = fieldsOf(etch['author']);
  const { hash } = etch;
  if (treeVersion !== 1 && treeVersion !== 2) return misfits.add(version, treeVersion, '1 or 2');
  if (!Array.isArray(siblings) || !siblings.every((one): one is string => isHex(one, 32)))
    return misfits.add(proof, siblings, 'hashes of 64 lower-case hex digits');
  if (size !== undefined) {
    const { [size]: leaves } = chain;
    misfits.need(
      typeof leaves === 'number' && isPossibleLength(siblings.length, leaves),
      size,
      leaves,
      `a size that has proofs of ${siblings.length} hashes`,
    );
  }
  if (!isUuid(userId) || !isHex(hash, 32)) return;
  misfits.equal(root, named, foldedRoot(treeVersion, userId, hash, siblings));
}
