import { isHex, isPossibleLength, isUuid } from '@svc/protocol';
import { foldedRoot } from '../batch.ts';
import { at, type Fields, fieldsOf, type Misfits } from './misfit.ts';

const TREE = ['root', 'proof', 'tree_version'] as const;
const ANCHORING = ['attestation_uid', 'tx_hash', 'anchored_at'];
const REVOCATION = ['revocation_attestation_uid', 'revocation_tx_hash', 'revoked_onchain_at'];
const INCLUSION = ['root', 'proof', 'tree_size', 'tree_version'];
const REVOCATION_TREE = TREE.map((field) => `revocation_${field}`);

/** Reads no chain (docs/specification.md#chain). */
export function checkEtchChain(misfits: Misfits, etch: Fields): void {
  const chain = fieldsOf(etch['chain']);
  const isAnchored = chain['status'] === 'anchored';
  const isRevoked = chain['revocation_status'] === 'revoked';
  const isOpen = (status: unknown) => status === 'pending' || status === 'failed';
  misfits.fits(chain, 'status', (one) => isAnchored || isOpen(one), 'pending, anchored or failed');
  if (etch['status'] !== 'retracted') misfits.same(chain, { revocation_status: 'none' });
  else
    misfits.fits(
      chain,
      'revocation_status',
      (one) => isRevoked || isOpen(one),
      'pending, revoked or failed, because it is retracted',
    );
  present(misfits, chain, ANCHORING, isAnchored);
  present(misfits, chain, INCLUSION, isAnchored && chain['root'] !== null);
  present(misfits, chain, REVOCATION, isRevoked);
  present(misfits, chain, REVOCATION_TREE, isRevoked && chain['revocation_root'] !== null);
  link(misfits, chain, 'attscan_url', 'attestation_uid');
  link(misfits, chain, 'tx_url', 'tx_hash');
  link(misfits, chain, 'revocation_tx_url', 'revocation_tx_hash');
  fold(misfits, etch, chain, '');
  fold(misfits, etch, chain, 'revocation_');
}

function present(misfits: Misfits, chain: Fields, fields: readonly string[], expected: boolean): void {
  for (const field of fields)
    if (expected) misfits.fits(chain, field, (value) => value != null, 'a value, because of the status');
    else misfits.same(chain, { [field]: null });
}

/** The service chooses the explorer. */
function link(misfits: Misfits, chain: Fields, field: string, to: string): void {
  const { [field]: url, [to]: target } = chain;
  if (url === null) return;
  const isLink =
    typeof url === 'string' &&
    typeof target === 'string' &&
    url.endsWith(`/${target}`) &&
    /^https?:\/\/[!-~]+$/.test(url);
  misfits.need(isLink, field, url, `null, or an http or https URL that ends with ${String(target)}`);
}

function fold(misfits: Misfits, etch: Fields, chain: Fields, prefix: '' | 'revocation_'): void {
  const [root, proof, version] = TREE.map((name) => `${prefix}${name}`) as [string, string, string];
  const { [root]: named, [proof]: siblings, [version]: treeVersion } = chain;
  if (named === null) return;
  const { hash } = etch;
  const userId = at(etch, 'author.user_id');
  if (treeVersion !== 1 && treeVersion !== 2) return misfits.add(version, treeVersion, '1 or 2');
  if (!Array.isArray(siblings) || !siblings.every((one): one is string => isHex(one, 32)))
    return misfits.add(proof, siblings, 'hashes of 64 lower-case hex digits');
  const isPossible = (size: unknown) => typeof size === 'number' && isPossibleLength(siblings.length, size);
  if (prefix === '')
    misfits.fits(chain, 'tree_size', isPossible, `a size that has proofs of ${siblings.length} hashes`);
  if (!isUuid(userId) || !isHex(hash, 32)) return;
  misfits.equal(root, named, foldedRoot(treeVersion, userId, hash, siblings));
}
