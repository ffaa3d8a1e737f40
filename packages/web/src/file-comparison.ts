import {
  comparedName,
  type FileDisclosure,
  type FileList,
  type FileManifest,
  type FileRoot,
  type ListedFile,
} from '@svc/protocol/conventions';

export interface HashedFile extends ListedFile {
  size: number;
}

interface ComparedFile {
  name: string;
  isSame: boolean;
  result: string;
}

/** Compares by content, under any name. @param key a manifest or a disclosure, for the salted form */
export function compareFiles(
  words: FileList | FileRoot,
  files: readonly HashedFile[],
  key: FileManifest | FileDisclosure | null,
): ComparedFile[] {
  if (words.form === 'list') return files.map((file) => compare(file, words.files, 'in the list'));
  if (key === null)
    return files.map(({ name }) => ({
      name,
      isSame: false,
      result: 'cannot be compared: add the manifest or the disclosure too',
    }));
  const [count, known] = 'file' in key ? [key.files, [key.file]] : [key.files.length, key.files];
  if (key.root !== words.root || count !== words.count)
    return files.map(({ name }) => ({
      name,
      isSame: false,
      result: 'cannot be compared: the manifest belongs to a different etch',
    }));
  return files.map((file) => compare(file, known, 'under the root'));
}

function compare(
  { name, sha256, size }: HashedFile,
  known: readonly (ListedFile & { size?: number })[],
  where: string,
): ComparedFile {
  const equal = known.filter((one) => one.sha256 === sha256 && (one.size ?? size) === size);
  const same = equal.find((one) => comparedName(one.name) === comparedName(name)) ?? equal[0];
  return {
    name,
    isSame: same !== undefined,
    result: same === undefined ? `matches no file ${where}` : `matches ${same.name} ${where}`,
  };
}
