// Checks the paths that a release is given, so that it deletes only its own files and no private key can be committed.
import { readFile, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { ROOT, SetupError, outputOf } from './prerequisites/run.mjs';

export const SUMS = 'SHA256SUMS';
/** `svc` in one file, part of every release. */
export const PROGRAM = 'svc.mjs';
const HASH_AND_SPACES = 66;

/** @throws SetupError if the folder exists with a file that an earlier release did not list */
export async function checkOut(out) {
  const names = await readdir(out).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw new SetupError(`--out: ${out} cannot be read as a folder. Name a new folder.`);
  });
  const sums = await readFile(join(out, SUMS), 'utf8').catch(() => '');
  const listed = sums.split('\n').map((line) => line.slice(HASH_AND_SPACES));
  const own = listed.includes(PROGRAM) ? [...listed, SUMS, `${SUMS}.sig`, 'staged'] : [];
  const other = names.find((name) => !own.includes(name));
  if (other !== undefined)
    throw new SetupError(
      `--out: ${join(out, other)} is not listed in ${SUMS} of an earlier release there, and a release deletes the folder. ` +
        'Name a new folder, or move the files away.',
    );
}

/** @throws SetupError if the key is missing, would be deleted with the folder, or could be committed */
export async function checkKey(key, out) {
  const file = await realpath(key).catch(() => {
    throw new SetupError(`--key: ${key} does not exist. Name the file of an Ed25519 key.`);
  });
  if (isWithin(await realpath(out).catch(() => out), file))
    throw new SetupError(`--key: ${key} is in the folder --out, which a release deletes. Move the key.`);
  if (isWithin(ROOT, file) && (await outputOf('git', ['check-ignore', '--quiet', file], ROOT)) === undefined)
    throw new SetupError(
      `--key: ${key} is in the repository, and git does not ignore it. Move the key, for example to ~/.ssh/svc-release.`,
    );
}

function isWithin(folder, path) {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}
