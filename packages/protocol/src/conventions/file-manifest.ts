import { MAX_PROOF_LENGTH, type Sha256 } from '../tree.ts';
import { isHex } from '../hex.ts';
import { checkDifferentNames, comparedName, compareFileNames } from './file-names.ts';
import { fileLeaf, fileTree, isFileUnder, type SaltedFile } from './file-tree.ts';
import { MAX_FILES } from './file-words.ts';
import { ConventionError } from './plain-text.ts';

export const MANIFEST_FORMAT = 'svc-files-manifest:v1';
export const DISCLOSURE_FORMAT = 'svc-files-disclosure:v1';

/** The author's private file (docs/conventions.md#the-manifest). */
export interface FileManifest {
  _format: typeof MANIFEST_FORMAT;
  root: string;
  /** sorted by the bytes of their names */
  files: SaltedFile[];
}

/** docs/conventions.md#showing-one-file */
export interface FileDisclosure {
  _format: typeof DISCLOSURE_FORMAT;
  root: string;
  /** under the root */
  files: number;
  file: SaltedFile;
  /** in fold order */
  proof: string[];
}

/**
 * @throws {ConventionError} on no file, more than `MAX_FILES`, a malformed one, or two equal names
 * @example
 * const file = { name: 'tide.csv', size: 3, sha256: 'ab'.repeat(32), salt: 'cd'.repeat(32) };
 * const { root, files } = makeManifest([file]);
 * fileRootWords({ root, count: files.length }).endsWith(' files=1'); // true
 */
export function makeManifest(files: readonly SaltedFile[], hash?: Sha256): FileManifest {
  if (files.length < 1 || files.length > MAX_FILES)
    throw new ConventionError(`there are 1 to ${MAX_FILES} files under a root, not ${files.length}`);
  const sorted = [...files].sort((a, b) => compareFileNames(a.name, b.name));
  return { _format: MANIFEST_FORMAT, root: fileTree(sorted, hash).root, files: sorted };
}

/**
 * Checks the root too.
 * @throws {ConventionError} on anything malformed, two equal names, or a wrong root
 * @example
 * const manifest = makeManifest([{ name: 'tide.csv', size: 3, sha256: 'ab'.repeat(32), salt: 'cd'.repeat(32) }]);
 * parseManifest(JSON.parse(JSON.stringify(manifest))); // manifest
 */
export function parseManifest(value: unknown, hash?: Sha256): FileManifest {
  const { root, files } = fieldsOf(value, MANIFEST_FORMAT, 'manifest');
  if (!Array.isArray(files) || files.length < 1 || files.length > MAX_FILES)
    throw new ConventionError(`the manifest does not list 1 to ${MAX_FILES} files`);
  if (!isHex(root, 32)) throw new ConventionError('root of the manifest is not 64 lower-case hex digits');
  const read = files.map(readFile);
  checkDifferentNames(read.map(({ name }) => name));
  const made = makeManifest(read, hash);
  if (made.root !== root)
    throw new ConventionError(
      `the files of the manifest give the root ${made.root}, it says ${root}: it was changed`,
    );
  return made;
}

/**
 * @throws {ConventionError} when the manifest has no file of this name
 * @example
 * const manifest = makeManifest([{ name: 'tide.csv', size: 3, sha256: 'ab'.repeat(32), salt: 'cd'.repeat(32) }]);
 * discloseFile(manifest, 'tide.csv').proof; // []
 */
export function discloseFile({ root, files }: FileManifest, name: string, hash?: Sha256): FileDisclosure {
  const wanted = comparedName(name);
  const index = files.findIndex((file) => comparedName(file.name) === wanted);
  const file = files[index];
  if (file === undefined) throw new ConventionError(`the manifest has no file ${JSON.stringify(name)}`);
  return {
    _format: DISCLOSURE_FORMAT,
    root,
    files: files.length,
    file,
    proof: fileTree(files, hash).proof(index),
  };
}

/**
 * Checks that the file is under the root. The caller checks that an etch names the root.
 * @throws {ConventionError} on anything malformed, or a file that is not under the root
 * @example
 * const manifest = makeManifest([{ name: 'tide.csv', size: 3, sha256: 'ab'.repeat(32), salt: 'cd'.repeat(32) }]);
 * parseDisclosure(discloseFile(manifest, 'tide.csv')).file.name; // 'tide.csv'
 */
export function parseDisclosure(value: unknown): FileDisclosure {
  const { root, files, file: given, proof } = fieldsOf(value, DISCLOSURE_FORMAT, 'disclosure');
  if (!isHex(root, 32)) throw new ConventionError('root of the disclosure is not 64 lower-case hex digits');
  if (!Number.isInteger(files) || (files as number) < 1 || (files as number) > MAX_FILES)
    throw new ConventionError(`files of the disclosure is not a number from 1 to ${MAX_FILES}`);
  const isProof =
    Array.isArray(proof) && proof.length <= MAX_PROOF_LENGTH && proof.every((one) => isHex(one, 32));
  if (!isProof) throw new ConventionError('proof of the disclosure is not a list of hashes');
  const file = readFile(given);
  const count = files as number;
  if (!isFileUnder(file, proof, { root, count }))
    throw new ConventionError(`the file ${JSON.stringify(file.name)} is not under the root ${root}`);
  return { _format: DISCLOSURE_FORMAT, root, files: count, file, proof };
}

function fieldsOf(value: unknown, format: string, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConventionError(`the ${what} is not an object`);
  const fields = value as Record<string, unknown>;
  if (fields['_format'] !== format) throw new ConventionError(`_format of the ${what} is not ${format}`);
  return fields;
}

function readFile(value: unknown): SaltedFile {
  const { name, size, sha256, salt } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    keyof SaltedFile,
    unknown
  >;
  const isFile =
    typeof name === 'string' &&
    typeof size === 'number' &&
    typeof sha256 === 'string' &&
    typeof salt === 'string';
  if (!isFile) throw new ConventionError('a file has a name, a size, a sha256 and a salt');
  const file = { name, size, sha256, salt };
  fileLeaf(file);
  return file;
}
