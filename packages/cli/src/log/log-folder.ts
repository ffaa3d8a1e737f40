import { parseJson, readInput } from '../input-file.ts';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
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

export const newState = (): LogState => ({ salt: randomBytes(HASH).toString('hex'), last: null });
export const saltOf = ({ salt }: LogState): Uint8Array => hexToBytes(salt);

export async function readState(log: string): Promise<LogState | null> {
  const path = statePath(log);
  if (!existsSync(path)) return null;
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

export const makeFolder = (log: string): void =>
  void mkdirSync(folderOf(log), { recursive: true, mode: 0o700 });

export const writeState = (log: string, { salt, last }: LogState): void =>
  writeOut(statePath(log), { _format: FORMAT, salt, last });

export class LeavesWriter {
  readonly #path: string;
  readonly #aside: string;
  readonly #file: number;
  readonly #buffer = Buffer.alloc(BUFFER * HASH);
  #used = 0;

  constructor(log: string) {
    this.#path = leavesPath(log);
    this.#aside = `${this.#path}.${randomBytes(6).toString('hex')}`;
    this.#file = openSync(this.#aside, 'wx', 0o600);
  }

  add(leaf: Uint8Array): void {
    this.#buffer.set(leaf, this.#used);
    this.#used += HASH;
    if (this.#used === this.#buffer.length) this.#flush();
  }

  replace(): void {
    this.#flush();
    fsyncSync(this.#file);
    closeSync(this.#file);
    renameSync(this.#aside, this.#path);
  }

  discard(): void {
    closeSync(this.#file);
    rmSync(this.#aside, { force: true });
  }

  #flush(): void {
    for (let at = 0; at < this.#used;) at += writeSync(this.#file, this.#buffer, at, this.#used - at);
    this.#used = 0;
  }
}

export class LeavesReader {
  readonly #file: number | null;
  readonly #buffer = Buffer.alloc(BUFFER * HASH);
  #at = 0;
  #filled = 0;

  constructor(log: string) {
    this.#file = existsSync(leavesPath(log)) ? openSync(leavesPath(log), 'r') : null;
  }

  next(): Uint8Array | null {
    if (this.#at + HASH > this.#filled) this.#fill();
    if (this.#at + HASH > this.#filled) return null;
    this.#at += HASH;
    return Uint8Array.from(this.#buffer.subarray(this.#at - HASH, this.#at));
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }

  #fill(): void {
    this.#at = 0;
    this.#filled = 0;
    while (this.#file !== null && this.#filled < this.#buffer.length) {
      const read = readSync(this.#file, this.#buffer, this.#filled, this.#buffer.length - this.#filled, null);
      if (read === 0) return;
      this.#filled += read;
    }
  }
}
