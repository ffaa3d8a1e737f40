import type { Sha256 } from '@svc/protocol';
import type { AttestedTree, AttestedTrees } from './attested-trees.ts';
import { ProofFolder } from './proof-folder.ts';
import { wordsFault } from './recorded-etch.ts';
import type { RecordedEtch } from './recorded-etch.ts';

/** One thing that is not as it must be. */
export interface RecordFault {
  what:
    | 'missing' // a leaf on the chain that the record leaves out
    | 'not retracted' // a tombstone on the chain, and the record shows the etch as if it had none
    | 'not attested' // the record says anchored, and the chain does not
    | 'not anchored' // an attestation on the chain, and the record shows the etch as if it had none
    | 'no tombstone' // taken down, as the record says, and the chain holds no tombstone
    | 'altered' // words, time, hash or author are not those that were anchored
    | 'doubled'; // twice in the record
  /** the etch, when the record shows it */
  etch_id: string | null;
  hash: string;
  detail: string;
}

/** Nothing that speaks against a record, and worth a look. */
export interface RecordNotice {
  what:
    | 'sealed although instant' // an instant etch is public at once
    | 'retracted without a tombstone'; // by its author, as the record says; the tombstone may be on its way
  etch_id: string;
  hash: string;
}

/** What makes the folding of many records fast. */
export interface RecordFolding {
  folder: ProofFolder;
  /** another SHA-256 for speed, such as node:crypto's */
  sha256?: Sha256;
}

/**
 * What an etch's own fields say against it, whatever else the record holds; null when nothing.
 * @example
 * const nothingAttested = new AttestedTrees();
 * etchFault(etch, etch.author.user_id, nothingAttested).what; // 'not attested'
 * @param folding for many etches: what it folded for one helps the next, and it may have a faster SHA-256
 */
export function etchFault(
  etch: RecordedEtch,
  userId: string,
  trees: AttestedTrees,
  { folder, sha256 }: RecordFolding = { folder: new ProofFolder() },
): RecordFault | null {
  const fault = (what: RecordFault['what'], detail: string): RecordFault => ({
    what,
    etch_id: etch.id,
    hash: etch.hash,
    detail,
  });
  if (etch.author.user_id !== userId)
    return fault('altered', `its author is ${etch.author.user_id}, not the account's`);
  const words = wordsFault(etch, sha256);
  if (words !== null) return fault('altered', words);
  if (etch.retracted_by !== undefined && etch.status !== 'retracted')
    return fault('altered', `it is called taken down and ${etch.status}`);
  return (
    anchoringFault(etch, userId, trees, folder, fault) ?? tombstoneFault(etch, userId, trees, folder, fault)
  );
}

type MakeFault = (what: RecordFault['what'], detail: string) => RecordFault;

function anchoringFault(
  { hash, chain }: RecordedEtch,
  userId: string,
  trees: AttestedTrees,
  folder: ProofFolder,
  fault: MakeFault,
): RecordFault | null {
  const { status, attestation_uid: uid, root, proof, tree_size: treeSize, tree_version: treeVersion } = chain;
  if (uid === null)
    return status === 'anchored' || chain.anchored_at !== null || root !== null
      ? fault('not attested', 'it is called anchored and names no attestation')
      : null;
  if (status !== 'anchored')
    return fault('not anchored', `it is called ${status} and names the attestation ${uid}`);
  const isSingle = root === null || proof === null || treeSize === null || treeVersion === null;
  if (!isSingle && !folds(folder, treeVersion, userId, hash, proof, root))
    return fault('altered', `with this hash and author it is not in the tree ${root} that it names`);
  const tree = trees.find(
    isSingle
      ? { root: hash, kind: 0, treeVersion: 0, treeSize: 1 }
      : { root, kind: 0, treeVersion, treeSize },
    uid,
  );
  if (tree === null)
    return fault(
      'not attested',
      isSingle
        ? `no attestation ${uid} of its hash, alone or in a tree, is by a trusted relayer`
        : `no attestation ${uid} of the tree ${root}, as it names them, is by a trusted relayer`,
    );
  // The time of a tree is that of its first attestation.
  return tree.uids[0] !== uid || Date.parse(chain.anchored_at ?? '') === tree.time * 1000
    ? null
    : fault('altered', `its anchored_at is not the time of the attestation ${uid}`);
}

function tombstoneFault(
  etch: RecordedEtch,
  userId: string,
  trees: AttestedTrees,
  folder: ProofFolder,
  fault: MakeFault,
): RecordFault | null {
  const { hash, status, chain, retracted_by } = etch;
  if (retracted_by !== undefined && !hasTombstone(etch, trees))
    return fault(
      'no tombstone',
      'the operator took it down, as the record says, and the chain holds no tombstone; a takedown of the last minutes may still get one',
    );
  if (isSingle(etch)) {
    const own = ownAttestation(etch, trees);
    if (own?.revoked === true && status !== 'retracted')
      return fault(
        'not retracted',
        'its attestation is revoked on the chain, and it is shown as if it were not',
      );
    return own?.revoked === false && status === 'retracted' && chain.revocation_status === 'revoked'
      ? fault('not attested', 'its attestation is not revoked on the chain, though it says so')
      : null;
  }
  const { revocation_root: root, revocation_proof: proof, revocation_tree_version: treeVersion } = chain;
  const uid = chain.revocation_attestation_uid;
  if (root === null || proof === null || treeVersion === null) return null;
  if (!folds(folder, treeVersion, userId, hash, proof, root))
    return fault('altered', `its tombstone is not in the tree ${root} that it names`);
  return trees
    .withRoot(1, root)
    .some((tree) => tree.treeVersion === treeVersion && (uid === null || tree.uids.includes(uid)))
    ? null
    : fault(
        'not attested',
        `no attestation ${uid ?? ''} of the tree of tombstones ${root}, as it names them, is by a trusted relayer`,
      );
}

const isSingle = ({ chain }: RecordedEtch): boolean => chain.attestation_uid !== null && chain.root === null;

const ownAttestation = ({ hash }: RecordedEtch, trees: AttestedTrees): AttestedTree | undefined =>
  trees.withRoot(0, hash).find((tree) => tree.treeVersion === 0);

/** Does it name a tombstone? Whether that is on the chain is another check; without a tree the chain itself says it. */
function hasTombstone(etch: RecordedEtch, trees: AttestedTrees): boolean {
  if (isSingle(etch)) return ownAttestation(etch, trees)?.revoked === true;
  const { revocation_root: root, revocation_proof: proof, revocation_tree_version: version } = etch.chain;
  return root !== null && proof !== null && version !== null;
}

/**
 * What is worth a look about an etch and no fault; null when nothing is.
 * @example
 * etchNotice({ ...etch, status: 'sealed' }, new AttestedTrees()).what; // 'sealed although instant'
 */
export function etchNotice(etch: RecordedEtch, trees: AttestedTrees): RecordNotice | null {
  const { id, hash, status, mode, retracted_by } = etch;
  if (status === 'sealed' && mode === 'instant')
    return { what: 'sealed although instant', etch_id: id, hash };
  return status === 'retracted' && retracted_by === undefined && !hasTombstone(etch, trees)
    ? { what: 'retracted without a tombstone', etch_id: id, hash }
    : null;
}

function folds(
  folder: ProofFolder,
  version: 1 | 2,
  userId: string,
  hash: string,
  proof: readonly string[],
  root: string,
): boolean {
  try {
    return folder.foldedRoot(version, userId, hash, proof) === root;
  } catch {
    return false;
  }
}
