// A model-output file of a hub: <output folder>/<model>/<round>-<model>.<format>, and its submission window.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Progress } from '../context.ts';
import { inputError } from '../exit.ts';
import { firstValue } from './model-output.ts';
import type { Hub, Round } from './read-hub.ts';
import { type SubmissionWindow, submissionWindow } from './submission-window.ts';

export interface HubFile {
  path: string;
  /** from the root of the hub, with `/` */
  name: string;
  /** empty: the name does not follow the pattern */
  round: string;
  model: string;
}

const MODEL = /^[A-Za-z0-9_]+-[A-Za-z0-9_]+$/;
/** A compression may be named before `.parquet`. */
const FILE = /^(.+?)(?:\.(?:snappy|gzip|gz|brotli|zstd|lz4|lzo|bz2))?\.(csv|parquet)$/;
/** Files that are model output, or were meant to be. */
const DATA = /\.(csv|parquet|arrow)(\.gz|\.zip)?$/i;
/** Levels of folders below the output folder. A link may form a loop. */
const DEEPEST = 3;

/** @throws {CommandError} on a name that does not follow the pattern, a link, or a format that the hub does not accept */
export function hubFile(hub: Hub, path: string): HubFile {
  const file = namedFile(hub, path);
  const { name, round } = file;
  rejectLink(hub, file.path);
  if (round === '')
    throw inputError(
      `${name} is not named ${hub.outputFolder}/<team>-<model>/<round>-<team>-<model>.csv or .parquet`,
    );
  const format = FILE.exec(name)![2]!;
  const { formats } = roundOf(hub, round) ?? { formats: [format] };
  if (!formats.includes(format))
    throw inputError(`${name} has the format ${format}; the hub accepts ${formats.join(', ')}`);
  return file;
}

/** @throws {CommandError} on a link: a change of its target would not be a change of this path */
export function rejectLink({ root }: Pick<Hub, 'root'>, path: string): void {
  const name = relative(root, path);
  if (existsSync(path) && realPath(path) !== join(realPath(root), name))
    throw inputError(`${name} is a symbolic link, or in a linked folder; svc hub accepts only files`);
}

/** The path itself, if there is no such file. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function namedFile(hub: Hub, path: string): HubFile {
  const partsFrom = (folder: string) => relative(folder, resolve(path)).split(sep);
  const name = partsFrom(hub.root).join('/');
  const [model = '', file = '', ...more] = partsFrom(join(hub.root, hub.outputFolder));
  const stem = FILE.exec(file)?.[1] ?? '';
  const round = stem.endsWith(`-${model}`) ? stem.slice(0, -model.length - 1) : '';
  const isNamed = more.length === 0 && MODEL.test(model) && /^(\d{4}-\d\d-\d\d|\w+)$/.test(round);
  return { path: resolve(path), name, round: isNamed ? round : '', model: file === '' ? '' : model };
}

export const roundOf = ({ rounds }: Hub, id: string): Round | undefined =>
  rounds.find(({ ids }) => ids.includes(id));

export function requireRound(hub: Hub, { name, round }: HubFile): Round {
  const found = roundOf(hub, round);
  if (found !== undefined) return found;
  const ids = hub.rounds.flatMap((one) => one.ids);
  throw inputError(
    `${name} is of round ${round}, which hub-config/tasks.json does not have; it has ${namesShown(ids)}`,
  );
}

export const namesShown = (names: readonly string[]): string =>
  `${names.length > 6 ? `${names.length}, the last ` : ''}${names.slice(-6).join(', ') || 'none'}`;

/** All data files in the output folder, also misnamed ones. */
export const hubFiles = (hub: Hub): HubFile[] =>
  dataFiles(join(hub.root, hub.outputFolder), DEEPEST).map((path) => namedFile(hub, path));

function dataFiles(folder: string, depth: number): string[] {
  const paths = namesIn(folder).map((name) => join(folder, name));
  return paths.flatMap((path) => (DATA.test(path) ? [path] : depth === 0 ? [] : dataFiles(path, depth - 1)));
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** null: tasks.json has no such round any more */
export async function windowOf(
  hub: Hub,
  file: Pick<HubFile, 'round' | 'path'>,
  progress: Progress,
): Promise<SubmissionWindow | null> {
  const round = roundOf(hub, file.round);
  if (round === undefined) return null;
  const { relativeTo } = round.due;
  const reference =
    relativeTo === null || relativeTo === round.variable
      ? file.round
      : await firstValue(file.path, relativeTo, progress);
  return submissionWindow(round.due, hub.timezone, reference ?? '');
}
