import * as fs from 'node:fs';
import { parseJson, readInput } from '../input-file.ts';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { hexToBytes, isHex, isUuid } from '@svc/protocol';
import { inputError } from '../exit.ts';
import { writeOut } from '../out-file.ts';

const FORMAT = 'svc-log-state:v1';
const HASH = 32;
const BUFFER = 4096;

interface LastState {
  etch: string;
  root: string;
  lines: number;
}

export interface LogState {
  /** hex; secret until the whole log is shown */
  salt: string;
  last: LastState | null;
}

/** Salt and last etch in `state.json`, hashes of anchored lines in `leaves`. */
const folderOf = (log: string): string => `${log}.svc-log`;
const statePath = (log: string): string => join(folderOf(log), 'state.json');
const leavesPath = (log: string): string => join(folderOf(log), 'leaves');

/** A rotation renames the log; its anchored states continue under the new name. */
export const afterRotation = (log: string): string =>
  `If the log was rotated, move ${folderOf(log)} to <that file>.svc-log, where <that file> has the earlier lines; then ${log} is a new log`;

export const newState = (): LogState => ({ salt: randomBytes(HASH).toString('hex'), last: null });
export const saltOf = ({ salt }: LogState): Uint8Array => hexToBytes(salt);

export async function readState(log: string): Promise<LogState | null> {
  const path = statePath(log);
  if (!fs.existsSync(path)) return null;
  const value = (parseJson(await readInput(path)) ?? {}) as Partial<LogState> & { _format?: unknown };
  const { last } = value;
  const isLast =
    last === null ||
    (typeof last === 'object' &&
      isUuid(last.etch) &&
      isHex(last.root, HASH) &&
      Number.isSafeInteger(last.lines));
  if (value._format !== FORMAT || !isHex(value.salt, HASH) || !isLast)
    throw inputError(`${path} is not a file that svc log anchor wrote`);
  return { salt: value.salt, last };
}

export async function requireState(log: string): Promise<LogState> {
  const state = await readState(log);
  if (state === null)
    throw inputError(
      `${statePath(log)} does not exist: anchor the log first (svc log anchor ${log}), or copy the folder ${folderOf(log)} next to the log`,
    );
  return state;
}

/** @returns whether it did not exist */
export const makeFolder = (log: string): boolean =>
  fs.mkdirSync(folderOf(log), { recursive: true, mode: 0o700 }) !== undefined;

export const removeFolder = (log: string): void => fs.rmdirSync(folderOf(log));

export const writeState = (log: string, { salt, last }: LogState): void =>
  writeOut(statePath(log), { _format: FORMAT, salt, last });

/** The hashes replace the stored ones only by `replace`. */
export function writeLeaves(log: string) {
  const path = leavesPath(log);
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = fs.openSync(aside, 'wx', 0o600);
  const buffer = Buffer.alloc(BUFFER * HASH);
  let used = 0;
  const flush = (): void => {
    for (let at = 0; at < used;) at += fs.writeSync(file, buffer, at, used - at);
    used = 0;
  };
  return {
    add(leaf: Uint8Array): void {
      buffer.set(leaf, used);
      used += HASH;
      if (used === buffer.length) flush();
    },
    replace(): void {
      flush();
      fs.fsyncSync(file);
      fs.closeSync(file);
      fs.renameSync(aside, path);
    },
    discard(): void {
      fs.closeSync(file);
      fs.rmSync(aside, { force: true });
    },
  };
}

export function* readLeaves(log: string): Generator<Uint8Array, undefined, undefined> {
  const path = leavesPath(log);
  if (!fs.existsSync(path)) return;
  const file = fs.openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(BUFFER * HASH);
    for (let kept = 0; ;) {
      const read = fs.readSync(file, buffer, kept, buffer.length - kept, null);
      if (read === 0) return;
      const filled = kept + read;
      kept = filled % HASH;
      for (let at = 0; at + HASH <= filled; at += HASH) yield Uint8Array.from(buffer.subarray(at, at + HASH));
      buffer.copyWithin(0, filled - kept, filled);
    }
  } finally {
    fs.closeSync(file);
  }
}
