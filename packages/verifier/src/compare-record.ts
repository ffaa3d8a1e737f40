import { etchHash, parseCanonicalString } from '@svc/protocol';
import type { Sha256 } from '@svc/protocol';
import type { AttestedTrees } from './attested-trees.ts';
import { ProofFolder } from './proof-folder.ts';

/** An etch as an account's record shows it: the fields of the API that a comparison needs. */
export interface RecordedEtch {
  id: string;
  status: 'sealed' | 'revealed' | 'retracted';
  hash: string;
  canonical_string: string | null;
  author: { user_id: string };
  chain: {
    status: string;
    attestation_uid: string | null;
    root: string | null;
    proof: string[] | null;
    tree_size: number | null;
    tree_version: 1 | 2 | null;
    revocation_status: string;
    revocation_attestation_uid: string | null;
    revocation_root: string | null;
    revocation_proof: string[] | null;
    revocation_tree_version: 1 | 2 | null;
  };
}

/** What the trees hold of one account: hashes, each with the root of its tree. */
export interface AccountLeaves {
  etches: ReadonlyMap<string, string>;
  tombstones: ReadonlyMap<string, string>;
  /** hashes with an attestation of their own, which the service says are this account's */
  singles: ReadonlySet<string>;
}

/** One thing that is not as it must be. */
export interface RecordFault {
  what:
    | 'missing' // a leaf on the chain that the record leaves out
    | 'not retracted' // a tombstone on the chain, and the record shows the etch as if it had none
    | 'not attested' // the record says anchored, and the chain does not
    | 'altered' // words, hash or author are not those that were anchored
    | 'doubled'; // twice in the record
  /** the etch, when the record shows it */
  etch_id: string | null;
  hash: string;
  detail: string;
}

export interface RecordCounts {
  /** leaves of tree version 2 that hold this account, and how many of them the record shows */
  leaves: number;
  shown: number;
  sealed: number;
  retracted: number;
  /** not anchored yet: nothing on the chain to compare with */
  pending: number;
  /** in trees of version 1, and with an attestation of their own: their author is the service's word */
  treeV1: number;
  single: number;
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
  const { canonical_string: words } = etch;
  if (
    words !== null &&
    (etchHash(words, sha256) !== etch.hash || parseCanonicalString(words)?.userId !== userId)
  )
    return fault('altered', 'its words do not make its hash');
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
  const { attestation_uid: uid, root, proof, tree_size: treeSize, tree_version: treeVersion } = chain;
  if (uid === null) return null;
  if (root === null || proof === null || treeSize === null || treeVersion === null) {
    return trees.has({ root: hash, kind: 0, treeVersion: 0, treeSize: 1 }, uid)
      ? null
      : fault(
          'not attested',
          `no attestation ${uid} of its hash, alone or in a tree, is by a trusted relayer`,
        );
  }
  if (!folds(folder, treeVersion, userId, hash, proof, root))
    return fault('altered', `with this hash and author it is not in the tree ${root} that it names`);
  return trees.has({ root, kind: 0, treeVersion, treeSize }, uid)
    ? null
    : fault(
        'not attested',
        `no attestation ${uid} of the tree ${root}, as it names them, is by a trusted relayer`,
      );
}

function tombstoneFault(
  { hash, status, chain }: RecordedEtch,
  userId: string,
  trees: AttestedTrees,
  folder: ProofFolder,
  fault: MakeFault,
): RecordFault | null {
  const single = chain.attestation_uid !== null && chain.root === null;
  if (single) {
    const own = trees.withRoot(0, hash).find((tree) => tree.treeVersion === 0);
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

/**
 * Compares an account's record with what the trees hold of it: whatever was anchored in a tree of version 2 must appear
 * (docs/specification.md#get-usersusernameetches), as it was anchored, and retracted exactly where the chain
 * says so. The record may come in parts.
 * @example
 * const trees = new AttestedTrees();
 * const { contract, chainId } = trust;
 * trees.add((await chain.attestation(contract, receipt.chain.attestation_uid, chainId)).attestation);
 * const comparison = new RecordComparison(etch.author.user_id, trees);
 * comparison.add(etch);
 * // what the trees hold of this account, by hash: here one etch
 * const etches = new Map([[etch.hash, etch.chain.root]]);
 * const { faults, counts } = comparison.finish({ etches, tombstones: new Map(), singles: new Set() });
 * faults; // []
 * counts.shown; // 1
 */
export class RecordComparison {
  private readonly userId: string;
  private readonly trees: AttestedTrees;
  private readonly shown = new Map<string, Pick<RecordedEtch, 'id' | 'status'>>();
  private readonly faults: RecordFault[] = [];
  private readonly counts: RecordCounts = {
    leaves: 0,
    shown: 0,
    sealed: 0,
    retracted: 0,
    pending: 0,
    treeV1: 0,
    single: 0,
  };

  private readonly folding: RecordFolding;

  constructor(userId: string, trees: AttestedTrees, folding: RecordFolding = { folder: new ProofFolder() }) {
    this.userId = userId;
    this.trees = trees;
    this.folding = folding;
  }

  /** Takes one etch of the record. */
  add(etch: RecordedEtch): void {
    const { id, hash, status, chain } = etch;
    if (this.shown.has(hash)) {
      this.faults.push({ what: 'doubled', etch_id: id, hash, detail: 'the record shows it twice' });
      return;
    }
    this.shown.set(hash, { id, status });
    if (status === 'sealed') this.counts.sealed++;
    if (status === 'retracted') this.counts.retracted++;
    if (chain.attestation_uid === null) this.counts.pending++;
    else if (chain.root === null) this.counts.single++;
    else if (chain.tree_version === 1) this.counts.treeV1++;
    const fault = etchFault(etch, this.userId, this.trees, this.folding);
    if (fault !== null) this.faults.push(fault);
  }

  /** What is wrong, once the whole record was given. */
  finish(leaves: AccountLeaves): { faults: RecordFault[]; counts: RecordCounts } {
    const faults = [...this.faults];
    const missing = (hash: string, detail: string) =>
      faults.push({
        what: 'missing',
        etch_id: null,
        hash,
        detail: `${detail}, and the record leaves it out`,
      });
    let shown = 0;
    for (const [hash, root] of leaves.etches) {
      if (this.shown.has(hash)) shown++;
      else missing(hash, `the tree ${root} holds it for this account`);
    }
    for (const hash of leaves.singles)
      if (!this.shown.has(hash))
        missing(hash, 'it is attested, and the service names this account as its author');
    for (const [hash, root] of leaves.tombstones) {
      const etch = this.shown.get(hash);
      if (etch === undefined) {
        if (!leaves.etches.has(hash)) missing(hash, `the tree ${root} holds its tombstone for this account`);
      } else if (etch.status !== 'retracted')
        faults.push({
          what: 'not retracted',
          etch_id: etch.id,
          hash,
          detail: `the tree ${root} holds its tombstone, and the record shows it as ${etch.status}`,
        });
    }
    return { faults, counts: { ...this.counts, leaves: leaves.etches.size, shown } };
  }
}
