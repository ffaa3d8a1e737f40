import { isHex } from '../hex.ts';
import { MAX_TREE_SIZE } from '../tree.ts';
import { checkDifferentNames, checkFileName } from './file-names.ts';
import { checkedWords, ConventionError, type FirstLine, firstLine, partsBehind } from './plain-text.ts';

export const FILES_TAG = 'svc-files:v1';
export const MAX_FILES = MAX_TREE_SIZE;

export interface ListedFile {
  name: string;
  /** in hex */
  sha256: string;
}

/** A reader can confirm a guessed content. */
export interface FileList {
  kind: 'files';
  form: 'list';
  files: ListedFile[];
  /** after the list */
  note: string;
}

/** Reveals only the number of files. */
export interface FileRoot {
  kind: 'files';
  form: 'root';
  /** in hex */
  root: string;
  count: number;
  note: string;
}

const LINE = /^([0-9a-f]{64}) {2}(.+)$/su;

/**
 * One line per file, as `sha256sum -c` reads it (docs/conventions.md#the-short-form).
 * @throws {ConventionError} on a rejected name, two equal ones, or no file
 * @example
 * const sha256 = 'ab'.repeat(32);
 * fileListWords([{ name: 'tide.csv', sha256 }]); // `svc-files:v1\n${sha256}  tide.csv\n`
 */
export function fileListWords(files: readonly ListedFile[], note = ''): string {
  const lines = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  for (const { name } of files) checkFileName(name);
  return checkedWords(parseFiles, `${FILES_TAG}\n${lines.join('')}`, note);
}

/**
 * docs/conventions.md#the-salted-form
 * @throws {ConventionError} on a malformed root or an impossible number
 * @example
 * fileRootWords({ root: 'ab'.repeat(32), count: 3 }); // `svc-files:v1 root=${'ab'.repeat(32)} files=3`
 */
export function fileRootWords({ root, count }: Pick<FileRoot, 'root' | 'count'>, note = ''): string {
  return checkedWords(parseFiles, `${FILES_TAG} root=${root} files=${count}`, note);
}

/**
 * @throws {ConventionError} when the words do not follow the convention
 * @example
 * const { form, count } = parseFiles(`svc-files:v1 root=${'ab'.repeat(32)} files=3`);
 * [form, count]; // ['root', 3]
 */
export function parseFiles(content: string): FileList | FileRoot {
  const { line, end, rest } = firstLine(content);
  const parts = partsBehind(FILES_TAG, line);
  return parts.length === 0 ? parseList(rest, end) : parseRoot(parts, rest);
}

function parseRoot(parts: string[], note: string): FileRoot {
  const [root, files, ...more] = parts;
  const hex = root?.replace(/^root=/, '');
  const count = /^files=([1-9]\d{0,4})$/.exec(files ?? '')?.[1];
  if (root === hex || !isHex(hex, 32) || count === undefined || more.length > 0)
    throw new ConventionError(
      `write root=<64 hex digits> files=<number> after ${FILES_TAG}, or a line break and the list`,
    );
  if (Number(count) > MAX_FILES)
    throw new ConventionError(`there are at most ${MAX_FILES} files under a root`);
  return { kind: 'files', form: 'root', root: hex, count: Number(count), note };
}

function parseList(text: string, end: FirstLine['end']): FileList {
  const { lines, note } = splitList(text, end || '\n');
  if (lines.length === 0) throw new ConventionError('the list names no file');
  const files = lines.map((line, at) => {
    const [, sha256, name] = LINE.exec(line) ?? [];
    if (sha256 === undefined || name === undefined)
      throw new ConventionError(
        `line ${at + 2} is not a line of the list: write 64 lower-case hex digits, two spaces, a name, and the line end of the first line; an empty line ends the list`,
      );
    checkFileName(name);
    return { name, sha256 };
  });
  checkDifferentNames(files.map(({ name }) => name));
  // sha256sum reads every line.
  if (/[0-9a-f]{64}/i.test(note))
    throw new ConventionError(
      'there is a hash below the list, which sha256sum would read as a line of the list',
    );
  return { kind: 'files', form: 'list', files, note };
}

/** The last line may have no line end. */
function splitList(text: string, end: string): { lines: string[]; note: string } {
  const at = text.startsWith(end) ? 0 : text.indexOf(end + end);
  if (at === -1) return { lines: text === '' ? [] : withoutEnd(text, end).split(end), note: '' };
  const list = text.slice(0, at);
  const note = text.slice(at === 0 ? end.length : at + 2 * end.length);
  return { lines: list === '' ? [] : list.split(end), note };
}

const withoutEnd = (text: string, end: string): string =>
  text.endsWith(end) ? text.slice(0, -end.length) : text;
