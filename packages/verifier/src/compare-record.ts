import type { AttestedTrees } from './attested-trees.ts';
import {
  etchFault,
  etchNotice,
  type RecordFault,
  type RecordFolding,
  type RecordNotice,
} from './etch-fault.ts';
import { ProofFolder } from './proof-folder.ts';
import type { RecordedEtch } from './recorded-etch.ts';

/** Leaves by hash, with the root of their tree. */
export interface AccountLeaves {
  etches: ReadonlyMap<string, string>;
  tombstones: ReadonlyMap<string, string>;
  /** without a tree; only the service names their author */
  singles: ReadonlySet<string>;
  /** version 1 */
  unnamed?: { has(hash: string): boolean };
}

export interface RecordCounts {
  /** version 2 */
  leaves: number;
  shown: number;
  sealed: number;
  /** by the author */
  retracted: number;
  /** taken down */
  takenDown: number;
  pending: number;
  /** version 1 or no tree */
  treeV1: number;
  single: number;
}

/**
 * Call `add` for each etch, then `finish` (docs/specification.md#get-usersusernameetches).
 * @example
 * const trees = new AttestedTrees();
 * const { contract, chainId } = trust;
 * trees.add((await chain.attestation(contract, receipt.chain.attestation_uid, chainId)).attestation);
 * const comparison = new RecordComparison(etch.author.user_id, trees);
 * comparison.add(etch);
 * const etches = new Map([[etch.hash, etch.chain.root]]);
 * comparison.finish({ etches, tombstones: new Map(), singles: new Set() }).faults; // []
 */
export class RecordComparison {
  private readonly userId: string;
  private readonly trees: AttestedTrees;
  private readonly shown = new Map<string, Pick<RecordedEtch, 'id' | 'status'> & { isPending: boolean }>();
  private readonly faults: RecordFault[] = [];
  private readonly notices: RecordNotice[] = [];
  private readonly counts: RecordCounts = {
    leaves: 0,
    shown: 0,
    sealed: 0,
    retracted: 0,
    takenDown: 0,
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

  add(etch: RecordedEtch): void {
    const { id, hash, status, chain } = etch;
    if (this.shown.has(hash)) {
      this.faults.push({ what: 'doubled', etch_id: id, hash, detail: 'the record shows it twice' });
      return;
    }
    this.shown.set(hash, { id, status, isPending: chain.attestation_uid === null });
    if (status === 'sealed') this.counts.sealed++;
    if (status === 'retracted') this.counts[etch.retracted_by === undefined ? 'retracted' : 'takenDown']++;
    if (chain.attestation_uid === null) this.counts.pending++;
    else if (chain.root === null) this.counts.single++;
    else if (chain.tree_version === 1) this.counts.treeV1++;
    const fault = etchFault(etch, this.userId, this.trees, this.folding);
    if (fault !== null) this.faults.push(fault);
    const notice = etchNotice(etch, this.trees);
    if (notice !== null) this.notices.push(notice);
  }

  finish(leaves: AccountLeaves): {
    faults: RecordFault[];
    notices: RecordNotice[];
    counts: RecordCounts;
  } {
    const faults = [...this.faults];
    const add = (what: RecordFault['what'], etch_id: string | null, hash: string, detail: string) =>
      faults.push({ what, etch_id, hash, detail });
    const missing = (hash: string, detail: string) =>
      add('missing', null, hash, `${detail}, and the record leaves it out`);
    let shown = 0;
    for (const [hash, root] of leaves.etches) {
      if (this.shown.has(hash)) shown++;
      else missing(hash, `the tree ${root} holds it for this account`);
    }
    for (const hash of leaves.singles)
      if (!this.shown.has(hash))
        missing(hash, 'it is attested, and the service names this account as its author');
    for (const [hash, { id, isPending }] of this.shown)
      if (isPending && isAttested(hash, leaves))
        add('not anchored', id, hash, 'an attested tree holds its leaf, and the record shows it as pending');
    for (const [hash, root] of leaves.tombstones) {
      const etch = this.shown.get(hash);
      const holds = `the tree ${root} holds its tombstone`;
      if (etch === undefined) {
        if (!leaves.etches.has(hash)) missing(hash, `${holds} for this account`);
      } else if (etch.status !== 'retracted')
        add('not retracted', etch.id, hash, `${holds}, and the record shows it as ${etch.status}`);
    }
    return { faults, notices: this.notices, counts: { ...this.counts, leaves: leaves.etches.size, shown } };
  }
}

const isAttested = (hash: string, { etches, singles, unnamed }: AccountLeaves): boolean =>
  etches.has(hash) || singles.has(hash) || unnamed?.has(hash) === true;
