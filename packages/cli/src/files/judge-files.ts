import { checkLines } from '../verdict-words.ts';
import { type InputOf, many } from '../command.ts';
import { type Context, makeProgress, type Shown } from '../context.ts';
import { parseCanonicalString, type Receipt } from '@svc/protocol';
import { comparedName, type ListedFile, readWords } from '@svc/protocol/conventions';
import type { CheckResult, Verification } from '@svc/verifier';
import { EXIT, usageError } from '../exit.ts';
import { findFiles } from './find-files.ts';
import { type HashedFile, hashFiles } from './hash-files.ts';
import { readDisclosure, readManifest } from './manifest-file.ts';

type FilesCheck = CheckResult<(typeof BADGES)[keyof typeof BADGES]> & { key: 'files' };

export const FILES = {
  '--files <path>': many('check that the words commit to this file or folder; may be repeated'),
  '--manifest <file>': 'the manifest that svc etch --files wrote',
  '--disclosure <file>': 'the disclosure of one file (svc files disclose)',
};
type CompareOptions = InputOf<typeof FILES>;

interface Wanted {
  by: 'list' | 'manifest' | 'disclosure';
  root: { root: string; count: number } | null;
  files: (ListedFile & { size?: number })[];
}

const NAMED = 20;

export async function judgeFiles(
  receipt: Receipt,
  verification: Verification,
  options: CompareOptions,
  context: Pick<Context, 'note' | 'terminal'>,
): Promise<FilesCheck> {
  const kept = await readKept(options);
  const words = receipt.canonical_string === null ? null : parseCanonicalString(receipt.canonical_string);
  const isShown = verification.checks.some(({ key, verdict }) => key === 'words' && verdict === 'pass');
  if (words === null || !isShown)
    return check(
      'wait',
      'The words are missing or their check does not pass, so it is unknown to which files they commit.',
    );
  const read = readWords(words.content);
  if (read.kind !== 'files') {
    const why = read.kind === 'text' && read.reason !== null ? `: ${read.reason}` : '';
    return check('fail', `The words commit to no file${why}.`);
  }
  if (read.form === 'list') {
    if (kept !== null)
      throw usageError('the words contain the list of files: omit --manifest and --disclosure');
    return compare({ by: 'list', root: null, files: read.files }, options, context);
  }
  if (kept === null)
    throw usageError('the words contain only a root: give the --manifest, or the --disclosure of one file');
  const { root, count } = kept.root!;
  if (root !== read.root || count !== read.count)
    return check(
      'fail',
      `The words commit to ${read.count} files under the root ${read.root}, but the ${kept.by} has ${count} files under ${root}.`,
    );
  return compare(kept, options, context);
}

export async function verifyFilesAlone(options: CompareOptions, context: Context): Promise<Shown> {
  const kept = await readKept(options);
  if (kept === null)
    throw usageError('name the etch or its receipt, or give the --manifest or --disclosure of the files');
  const found = await compare(kept, options, context);
  const result = found.verdict === 'fail' ? 'fail' : 'wait';
  const last =
    result === 'fail'
      ? 'FAIL: the files differ.'
      : `WAIT: the files agree with the ${kept.by}; to check that an etch commits to its root, name the etch or its receipt.`;
  // Without an etch, no check passes.
  const words = checkLines('The files', found, last);
  return { value: { result, files: found }, words: [...words, '', last], status: EXIT[result] };
}

async function readKept({ manifest, disclosure }: CompareOptions): Promise<Wanted | null> {
  if (manifest !== undefined && disclosure !== undefined)
    throw usageError('give --manifest or --disclosure, not both');
  if (manifest !== undefined) {
    const { root, files } = await readManifest(manifest);
    return { by: 'manifest', root: { root, count: files.length }, files };
  }
  if (disclosure === undefined) return null;
  const { root, files: count, file } = await readDisclosure(disclosure);
  return { by: 'disclosure', root: { root, count }, files: [file] };
}

async function compare(
  wanted: Wanted,
  { files: paths, manifest }: CompareOptions,
  context: Pick<Context, 'note' | 'terminal'>,
): Promise<FilesCheck> {
  const found = await findFiles(paths, manifest);
  const hashed = await hashFiles(
    found.flatMap(({ files }) => files),
    makeProgress(context),
  );
  const byName = new Map(wanted.files.map((file) => [comparedName(file.name), file]));
  const isFolder = found.some((one) => one.isFolder) && wanted.by !== 'disclosure';
  const faults = isFolder ? againstAll(hashed, byName) : againstAny(hashed, wanted.files);
  if (faults.length > 0) {
    const more = faults.length - NAMED;
    return check(
      'fail',
      `${faults.length} of the files ${faults.length === 1 ? 'differs' : 'differ'} from the ${wanted.by}.`,
      [...faults.slice(0, NAMED), ...(more > 0 ? [fault('and', `${more} more`)] : [])],
    );
  }
  const what = hashed.length === 1 ? 'The file is' : `The ${hashed.length} files are`;
  const few = hashed.length > 3 ? [] : hashed;
  return check(
    'pass',
    isFolder
      ? `All ${hashed.length} files are those of the ${wanted.by}, and none is missing.`
      : `${what} among those of the ${wanted.by}.`,
    few.map((file) => exact(nameOf(file, wanted.files) ?? file.name, file.sha256)),
  );
}

/** Compares by name: no file may be missing or added. */
function againstAll(hashed: readonly HashedFile[], byName: ReadonlyMap<string, Wanted['files'][number]>) {
  const here = new Set(hashed.map(({ name }) => comparedName(name)));
  return [
    ...hashed.flatMap((file) => {
      const meant = byName.get(comparedName(file.name));
      if (meant === undefined) return [fault(file.name, 'was not committed to')];
      return isSame(file, meant)
        ? []
        : [fault(file.name, `was committed to as ${meant.sha256}, is ${file.sha256}`)];
    }),
    ...[...byName].filter(([name]) => !here.has(name)).map(([, { name }]) => fault(name, 'is missing')),
  ];
}

/** Compares by content: the name may differ. */
const againstAny = (hashed: readonly HashedFile[], wanted: Wanted['files']) =>
  hashed.flatMap((file) =>
    nameOf(file, wanted) === undefined ? [fault(file.name, `is a different file: ${file.sha256}`)] : [],
  );

function nameOf(file: HashedFile, wanted: Wanted['files']): string | undefined {
  const equal = wanted.filter((one) => isSame(file, one));
  return (equal.find(({ name }) => comparedName(name) === comparedName(file.name)) ?? equal[0])?.name;
}

const isSame = (file: HashedFile, { sha256, size }: Wanted['files'][number]): boolean =>
  file.sha256 === sha256 && (size === undefined || file.size === size);

const fault = (label: string, value: string) => ({ label, value, copy: false });
const exact = (label: string, value: string) => ({ label, value, copy: true });
const BADGES = { pass: 'same', fail: 'different', wait: 'unknown' } as const;
const check = (
  verdict: keyof typeof BADGES,
  detail: string,
  evidence: FilesCheck['evidence'] = [],
): FilesCheck => ({ key: 'files', verdict, badge: BADGES[verdict], detail, evidence });
