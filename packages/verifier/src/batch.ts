import {
  bytesToHex,
  etchLeaf,
  foldProof,
  hexToBytes,
  isPossibleLength,
  node,
  type Receipt,
  type Sha256,
} from '@svc/protocol';
import { exact, type Finding, finding, remark } from './check.ts';

export interface BatchResult extends Finding<'batch'> {
  /** the folded root, or the hash without a tree; null while pending */
  expectedRoot: string | null;
}

/** docs/specification.md#merkle-rules */
export function checkBatch({ inclusion, chain, hash, author }: Receipt): BatchResult {
  if (inclusion === null) {
    return chain.attestation_uid === null
      ? { ...finding('wait', 'pending', 'The etch waits to be folded into a tree.'), expectedRoot: null }
      : {
          ...finding('info', 'direct', 'The etch has its own attestation, and no tree.', [
            exact('Hash', hash),
          ]),
          expectedRoot: hash,
        };
  }
  const { root, proof, tree_size: size, tree_version: version } = inclusion;
  const folded = foldedRoot(version, author.user_id, hash, proof);
  const evidence = [
    exact('Leaf', bytesToHex(etchLeaf(version, author.user_id, hash))),
    exact('Folded root', folded),
    exact('Root of the tree', root),
    remark('Tree', `version ${version}, ${size} ${size === 1 ? 'leaf' : 'leaves'}, proof of ${proof.length}`),
  ];
  const fault = !isPossibleLength(proof.length, size)
    ? `A tree of ${size} leaves has no proof of ${proof.length} hashes.`
    : folded !== root
      ? 'The etch does not fold to the root: it is not in this tree.'
      : null;
  const proven =
    size === 1
      ? 'The etch is the only leaf under the root.'
      : `The etch is one of the ${size} leaves under the root.`;
  const found =
    fault === null
      ? finding('pass', 'included', proven, evidence)
      : finding('fail', 'excluded', fault, evidence);
  return { ...found, expectedRoot: folded };
}

export function foldedRoot(version: 1 | 2, userId: string, hash: string, proof: readonly string[]): string {
  return bytesToHex(foldProof(etchLeaf(version, userId, hash), proof.map(hexToBytes)));
}

/**
 * Includes both ends (docs/specification.md#merkle-rules).
 * @throws {RangeError} on a malformed id or hash
 * @example
 * const { tree_version, proof, root } = receipt.inclusion;
 * pathToRoot(tree_version, receipt.author.user_id, receipt.hash, proof).at(-1); // root
 */
export function pathToRoot(
  version: 1 | 2,
  userId: string,
  hash: string,
  proof: readonly string[],
  sha256?: Sha256,
): string[] {
  const path = [etchLeaf(version, userId, hash, sha256)];
  for (const sibling of proof) path.push(node(path.at(-1)!, hexToBytes(sibling), sha256));
  return path.map(bytesToHex);
}
