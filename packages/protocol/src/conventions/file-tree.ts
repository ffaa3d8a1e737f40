import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { buildFlatTree, splitProof } from '../build-tree.ts';
import { bytesToHex, hexToBytes, isHex } from '../hex.ts';
import { textToBytes } from '../text.ts';
import { bigEndian } from '../timelock/drand-chain.ts';
import { foldProof, isPossibleLength, type Sha256 } from '../tree.ts';
import { checkDifferentNames, checkFileName } from './file-names.ts';
import type { ListedFile } from './file-words.ts';
import { ConventionError } from './plain-text.ts';

export interface SaltedFile extends ListedFile {
  /** bytes */
  size: number;
  /** 32 random bytes in lower-case hex */
  salt: string;
}

/**
 * `sha256(0x00 || salt || sha256 || size || name)`, the size as 8 bytes big-endian, the name in UTF-8
 * (docs/conventions.md#the-salted-form).
 * @throws {ConventionError} on a malformed part
 * @example
 * const file = { name: 'tide.csv', size: 3, sha256: 'ab'.repeat(32), salt: 'cd'.repeat(32) };
 * fileLeaf(file).length; // 32
 */
export function fileLeaf({ name, size, sha256, salt }: SaltedFile, hash: Sha256 = nobleSha256): Uint8Array {
  checkFileName(name);
  if (!isHex(sha256, 32)) throw new ConventionError(`${name}: sha256 is not 64 lower-case hex digits`);
  if (!isHex(salt, 32)) throw new ConventionError(`${name}: salt is not 64 lower-case hex digits`);
  if (!Number.isSafeInteger(size) || size < 0)
    throw new ConventionError(`${name}: size is not a number of bytes`);
  const parts = [hexToBytes(salt), hexToBytes(sha256), bigEndian(size, 8), textToBytes(name)];
  return hash(concatBytes(Uint8Array.of(0), ...parts));
}

/**
 * The order of files does not matter (docs/protocol.md#42-trees).
 * @throws {ConventionError} on a malformed file, or two equal names
 * @example
 * const file = { name: 'tide.csv', size: 3, sha256: 'ab'.repeat(32), salt: 'cd'.repeat(32) };
 * fileTree([file]).root; // bytesToHex(fileLeaf(file))
 */
export function fileTree(
  files: readonly SaltedFile[],
  hash: Sha256 = nobleSha256,
): { root: string; proof: (index: number) => string[] } {
  checkDifferentNames(files.map(({ name }) => name));
  const tree = buildFlatTree(
    files.map((file) => fileLeaf(file, hash)),
    hash,
  );
  return {
    root: bytesToHex(tree.root),
    proof: (index) => splitProof(tree.proof(index)).map(bytesToHex),
  };
}

/**
 * Checks the proof and that its length is possible for `count` files.
 * @throws {ConventionError} on a malformed file
 * @example
 * const file = { name: 'tide.csv', size: 3, sha256: 'ab'.repeat(32), salt: 'cd'.repeat(32) };
 * const { root } = fileTree([file]);
 * isFileUnder(file, [], { root, count: 1 }); // true
 * isFileUnder({ ...file, size: 4 }, [], { root, count: 1 }); // false
 */
export function isFileUnder(
  file: SaltedFile,
  proof: readonly string[],
  { root, count }: { root: string; count: number },
): boolean {
  if (!isPossibleLength(proof.length, count)) return false;
  return bytesToHex(foldProof(fileLeaf(file), proof.map(hexToBytes))) === root;
}
