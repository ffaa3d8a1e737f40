import { bytesToHex, etchLeaf, hexToBytes, MAX_PROOF_LENGTH, node, type Sha256 } from '@svc/protocol';

interface Known {
  sibling: string;
  /** parent, or the root in hex */
  next: Known | string;
}

/** The nodes below are too many to cache. */
const FROM_LEVEL = 4;
/** About 60 MB. */
const MOST_KNOWN = 250_000;

/**
 * Folds the nodes above the fourth level once, which saves two thirds of the hashes. The cache has a fixed
 * size.
 * @example
 * const folder = new ProofFolder();
 * const { tree_version, proof, root } = receipt.inclusion;
 * folder.foldedRoot(tree_version, receipt.author.user_id, receipt.hash, proof); // root
 */
export class ProofFolder {
  private readonly known = new Map<string, Known>();
  private readonly sha256: Sha256 | undefined;

  constructor(sha256?: Sha256) {
    this.sha256 = sha256;
  }

  /** @throws {RangeError} on a malformed id or hash, and on an impossible proof */
  foldedRoot(version: 1 | 2, userId: string, hash: string, proof: readonly string[]): string {
    if (proof.length > MAX_PROOF_LENGTH)
      throw new RangeError(`a proof has at most ${MAX_PROOF_LENGTH} hashes`);
    let value = etchLeaf(version, userId, hash, this.sha256);
    const low = Math.min(FROM_LEVEL, proof.length);
    for (let i = 0; i < low; i++) value = node(value, hexToBytes(proof[i]!), this.sha256);
    const name = bytesToHex(value);
    return low === proof.length ? name : (this.walk(name, proof, low) ?? this.fold(value, proof, low));
  }

  /** Null when unknown or different. */
  private walk(name: string, proof: readonly string[], from: number): string | null {
    let at: Known | string | undefined = this.known.get(name);
    for (let i = from; i < proof.length; i++) {
      if (at === undefined || typeof at === 'string' || at.sibling !== proof[i]) return null;
      at = at.next;
    }
    return typeof at === 'string' ? at : null;
  }

  private fold(low: Uint8Array, proof: readonly string[], from: number): string {
    const nodes = [low];
    for (const sibling of proof.slice(from))
      nodes.push(node(nodes.at(-1)!, hexToBytes(sibling), this.sha256));
    const names = nodes.map(bytesToHex);
    const root = names.pop()!;
    if (this.known.size > MOST_KNOWN) this.known.clear();
    let next: Known | string = root;
    for (let i = names.length - 1; i >= 0; i--) {
      const sibling = proof[from + i]!;
      const kept = this.known.get(names[i]!);
      // Never replace a known path.
      if (kept !== undefined && (kept.sibling !== sibling || kept.next !== next)) return root;
      const known: Known = kept ?? { sibling, next };
      if (kept === undefined) this.known.set(names[i]!, known);
      next = known;
    }
    return root;
  }
}
