import {
  bytesToHex,
  decodeAttestationData,
  foldPackedLeaves,
  hexToBytes,
  packedWidth,
  packLeaves,
  type Sha256,
} from '@svc/protocol';
import type { OnchainAttestation } from './chain-reader.ts';

/** `treeVersion` 0: one etch; `root` is its hash. */
export interface AttestedTree {
  root: string;
  kind: 0 | 1;
  treeVersion: 0 | 1 | 2;
  treeSize: number;
  /** the first attestation first */
  uids: string[];
  /** seconds since 1970 */
  time: number;
  /** without a tree: all attestations are; else any, which the service never does */
  revoked: boolean;
}

/**
 * Attestations of trusted relayers.
 * @example
 * const reader = rpcLogReader(trust, { urls: ['http://127.0.0.1:8545'] });
 * const trees = new AttestedTrees();
 * for await (const { logs } of reader.attested(0, await reader.head()))
 *   for (const attestation of await reader.attestations(logs)) trees.add(attestation);
 * trees.withRoot(0, receipt.inclusion.root).length; // 1
 */
export class AttestedTrees {
  readonly trees = new Map<string, AttestedTree>();
  /** with malformed data */
  readonly unreadable: string[] = [];
  private readonly byRoot = new Map<string, AttestedTree[]>();

  add({ uid, data, time, revocationTime }: OnchainAttestation): void {
    const revoked = revocationTime !== 0;
    const content = read(data);
    if (content === null) {
      this.unreadable.push(uid);
      return;
    }
    const { kind, treeVersion, treeSize } = content;
    const root = bytesToHex(content.root);
    const name = treeName({ root, kind, treeVersion, treeSize });
    const known = this.trees.get(name);
    if (known === undefined) this.keep({ root, kind, treeVersion, treeSize, uids: [uid], time, revoked });
    else {
      known.uids.push(uid);
      known.revoked = treeVersion === 0 ? known.revoked && revoked : known.revoked || revoked;
    }
  }

  keep(tree: AttestedTree): string {
    const name = treeName(tree);
    this.trees.set(name, tree);
    const root = `${tree.kind}:${tree.root}`;
    this.byRoot.set(root, [...(this.byRoot.get(root) ?? []), tree]);
    return name;
  }

  /** Null unless the uid attests this tree. */
  find(tree: TreeName, uid: string): AttestedTree | null {
    const found = this.trees.get(treeName(tree));
    return found?.uids.includes(uid) === true ? found : null;
  }

  copy(): AttestedTrees {
    const copy = new AttestedTrees();
    for (const tree of this.trees.values()) copy.keep({ ...tree, uids: [...tree.uids] });
    copy.unreadable.push(...this.unreadable);
    return copy;
  }

  withRoot(kind: 0 | 1, root: string): readonly AttestedTree[] {
    return this.byRoot.get(`${kind}:${root}`) ?? [];
  }
}

/**
 * A revoked tree fails an audit (docs/protocol.md#414-audit-of-a-record). Without a tree the revocation is
 * the retraction.
 * @example
 * isRevokedTree({ treeVersion: 2, revoked: true }); // true
 * isRevokedTree({ treeVersion: 0, revoked: true }); // false
 */
export const isRevokedTree = (tree: Pick<AttestedTree, 'treeVersion' | 'revoked'>): boolean =>
  tree.treeVersion !== 0 && tree.revoked;

export type TreeName = Pick<AttestedTree, 'root' | 'kind' | 'treeVersion' | 'treeSize'>;

/**
 * One root may be attested as commitment and as retraction.
 * @example
 * treeName({ root: 'ab'.repeat(32), kind: 0, treeVersion: 2, treeSize: 8 }); // `0:${'ab'.repeat(32)}:2:8`
 */
export const treeName = ({ root, kind, treeVersion, treeSize }: TreeName): string =>
  `${kind}:${root}:${treeVersion}:${treeSize}`;

function read(data: string) {
  try {
    const content = decodeAttestationData(hexToBytes(data.slice(2)));
    // Without a tree, a revocation is the retraction.
    return content.kind === 1 && content.treeVersion === 0 ? null : content;
  } catch {
    return null;
  }
}

/** Version 1 has no author. */
export interface LeafParts {
  user_id?: string;
  hash: string;
}

/**
 * Folds a tree from its leaves (docs/protocol.md#42-trees).
 * @param leaves as a service lists them, or packed (docs/protocol.md#26-packed-leaves)
 * @returns null when it is the attested root, else the fault in words
 * @example
 * const leaf = { user_id: receipt.author.user_id, hash: receipt.hash };
 * const root = bytesToHex(etchLeaf(2, leaf.user_id, leaf.hash)); // a tree of one
 * rebuildFault({ root, treeVersion: 2, treeSize: 1 }, [leaf]); // null
 */
export function rebuildFault(
  tree: Pick<AttestedTree, 'root' | 'treeVersion' | 'treeSize'>,
  leaves: readonly LeafParts[] | Uint8Array,
  sha256?: Sha256,
): string | null {
  const { root, treeVersion, treeSize } = tree;
  if (treeVersion === 0)
    return !(leaves instanceof Uint8Array) && leaves.length === 1 && leaves[0]!.hash === root
      ? null
      : 'it has a different hash';
  const given = leaves instanceof Uint8Array ? leaves.length / packedWidth(treeVersion) : leaves.length;
  if (given !== treeSize) {
    if (!Number.isInteger(given)) return `its leaves end within one: ${leaves.length} bytes were given`;
    const [difference, word] =
      given < treeSize ? [treeSize - given, 'missing'] : [given - treeSize, 'too many'];
    return `${treeSize} leaves are attested, ${given} were given: ${difference} ${word}`;
  }
  try {
    const packed = leaves instanceof Uint8Array ? leaves : packLeaves(treeVersion, leaves);
    const folded = bytesToHex(foldPackedLeaves(treeVersion, packed, sha256));
    return folded === root
      ? null
      : `its leaves fold to ${folded}: at least one of them is not the attested one`;
  } catch (error) {
    if (error instanceof RangeError) return `its leaves cannot be folded: ${error.message}`;
    throw error;
  }
}
