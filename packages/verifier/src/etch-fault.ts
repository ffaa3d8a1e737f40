import { isPossibleLength, type Sha256 } from '@svc/protocol';
import type { AttestedTree, AttestedTrees } from './attested-trees.ts';
import { ProofFolder } from './proof-folder.ts';
import { type RecordedEtch, wordsFault } from './recorded-etch.ts';

export interface RecordFault {
  what:
    | 'missing' // on the chain, not in the record
    | 'not retracted' // tombstone on the chain, none in the record
    | 'not attested' // anchored by the record, not on the chain
    | 'not anchored' // on the chain, not anchored by the record
    | 'no tombstone' // taken down by the record, no tombstone on the chain
    | 'altered' // words, time, hash or author differ
    | 'doubled';
  /** null: not in the record */
  etch_id: string | null;
  hash: string;
  detail: string;
}

export interface RecordNotice {
  what:
    | 'sealed although instant' // public at once
    | 'retracted without a tombstone'; // the tombstone may follow
  etch_id: string;
  hash: string;
}

export interface RecordFolding {
  folder: ProofFolder;
  sha256?: Sha256;
}

/**
 * @param folding pass the same one for many etches: it caches folded nodes
 * @example
 * const nothingAttested = new AttestedTrees();
 * etchFault(etch, etch.author.user_id, nothingAttested).what; // 'not attested'
 */
export function etchFault(
  etch: RecordedEtch,
  userId: string,
  trees: AttestedTrees,
  { folder, sha256 }: RecordFolding = { folder: new ProofFolder() },
): RecordFault | null {
  const { id: etch_id, hash } = etch;
  const fault: MakeFault = (what, detail) => ({ what, etch_id, hash, detail });
  const folds: Folds = (version, proof, root) => {
    try {
      return folder.foldedRoot(version, userId, hash, proof) === root;
    } catch {
      return false;
    }
  };
  if (etch.author.user_id !== userId)
    return fault('altered', `its author is ${etch.author.user_id}, not the account's`);
  const words = wordsFault(etch, sha256);
  if (words !== null) return fault('altered', words);
  if (etch.retracted_by !== undefined && etch.status !== 'retracted')
    return fault('altered', `it is marked as taken down, and its status is ${etch.status}`);
  return anchoringFault(etch, trees, folds, fault) ?? tombstoneFault(etch, trees, folds, fault);
}

type MakeFault = (what: RecordFault['what'], detail: string) => RecordFault;
type Folds = (version: 1 | 2, proof: readonly string[], root: string) => boolean;

function anchoringFault(
  { hash, chain }: RecordedEtch,
  trees: AttestedTrees,
  folds: Folds,
  fault: MakeFault,
): RecordFault | null {
  const { status, attestation_uid: uid, root, proof, tree_size: treeSize, tree_version: treeVersion } = chain;
  if (uid === null)
    return status === 'anchored' || chain.anchored_at !== null || root !== null
      ? fault('not attested', 'it has anchoring fields and names no attestation')
      : null;
  if (status !== 'anchored')
    return fault('not anchored', `its chain status is ${status}, and it names the attestation ${uid}`);
  const isWhole = proof !== null && treeSize !== null && treeVersion !== null;
  if (root !== null && !isWhole) return fault('not attested', incomplete(root));
  const isSingle = root === null || !isWhole;
  if (!isSingle && !(isPossibleLength(proof.length, treeSize) && folds(treeVersion, proof, root)))
    return fault('altered', `its hash and author do not fold to the root ${root} that it names`);
  const [name, what] = isSingle
    ? ([{ root: hash, treeVersion: 0, treeSize: 1 }, 'its hash, alone or in a tree,'] as const)
    : ([{ root, treeVersion, treeSize }, `the tree ${root}`] as const);
  const tree = trees.find({ ...name, kind: 0 }, uid);
  if (tree === null) return fault('not attested', `no trusted relayer attested ${what} with the uid ${uid}`);
  // The first attestation dates the tree.
  return tree.uids[0] !== uid || Date.parse(chain.anchored_at ?? '') === tree.time * 1000
    ? null
    : fault('altered', `its anchored_at is not the time of the attestation ${uid}`);
}

function tombstoneFault(
  etch: RecordedEtch,
  trees: AttestedTrees,
  folds: Folds,
  fault: MakeFault,
): RecordFault | null {
  const { status, chain, retracted_by } = etch;
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
  if (root === null) return null;
  if (proof === null || treeVersion === null) return fault('not attested', incomplete(root));
  if (!folds(treeVersion, proof, root))
    return fault('altered', `its tombstone is not in the tree ${root} that it names`);
  const isNamed = (tree: AttestedTree) =>
    tree.treeVersion === treeVersion &&
    (uid === null || tree.uids.includes(uid)) &&
    isPossibleLength(proof.length, tree.treeSize);
  return trees.withRoot(1, root).some(isNamed)
    ? null
    : fault(
        'not attested',
        `no trusted relayer attested the tree of tombstones ${root}${uid === null ? '' : ` with the uid ${uid}`}`,
      );
}

const incomplete = (root: string): string =>
  `it names the root ${root} without the proof, the size or the version of its tree`;

const isSingle = ({ chain }: RecordedEtch): boolean => chain.attestation_uid !== null && chain.root === null;

const ownAttestation = ({ hash }: RecordedEtch, trees: AttestedTrees): AttestedTree | undefined =>
  trees.withRoot(0, hash).find((tree) => tree.treeVersion === 0);

/** Without a tree this reads the chain; otherwise another check does. */
function hasTombstone(etch: RecordedEtch, trees: AttestedTrees): boolean {
  if (isSingle(etch)) return ownAttestation(etch, trees)?.revoked === true;
  const { revocation_root: root, revocation_proof: proof, revocation_tree_version: version } = etch.chain;
  return root !== null && proof !== null && version !== null;
}

/**
 * Returns null if there is nothing to notice.
 * @example
 * etchNotice({ ...etch, status: 'sealed' }, new AttestedTrees()).what; // 'sealed although instant'
 */
export function etchNotice(etch: RecordedEtch, trees: AttestedTrees): RecordNotice | null {
  const { id, hash, status, mode, retracted_by } = etch;
  if (status === 'sealed' && mode === 'instant')
    return { what: 'sealed although instant', etch_id: id, hash };
  const isNamed = etch.chain.revocation_root !== null;
  return status === 'retracted' && retracted_by === undefined && !isNamed && !hasTombstone(etch, trees)
    ? { what: 'retracted without a tombstone', etch_id: id, hash }
    : null;
}
