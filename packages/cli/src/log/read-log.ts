import { CHUNK, readSteadily } from '../files/hash-files.ts';
import { cannotRead } from '../input-file.ts';
import { createHash, type Hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { lineSalt, LogTree } from '@svc/protocol/conventions';
import { inputError } from '../exit.ts';
import { sha256 } from '../files/manifest-file.ts';
import { bytesToHex } from '@svc/protocol';
import { type LogState, readLeaves, saltOf, type writeLeaves } from './log-folder.ts';

const LF = 10;

interface ReadLine {
  number: number;
  leaf: Uint8Array;
  bytes: Uint8Array | null;
  /** false for bytes after the last LF */
  hasEnd: boolean;
}

/**
 * Bytes up to LF, or after the last LF, are a line. Long lines are hashed in chunks.
 * @param wanted the line whose bytes to return
 */
export async function readLog(
  path: string,
  salt: Uint8Array,
  onLine: (line: ReadLine) => void,
  wanted?: number,
): Promise<void> {
  const lines = splitter(salt, onLine, wanted);
  await requireFile(path);
  const again = 'try again when no program writes to it';
  await readSteadily(path, { buffer: Buffer.allocUnsafe(CHUNK), again }, lines.add);
  lines.end();
}

export async function requireFile(path: string): Promise<void> {
  const isFile = await stat(path).then(
    (facts) => facts.isFile(),
    (error: unknown) => {
      throw cannotRead(path, error);
    },
  );
  if (!isFile) throw inputError(`${path} is not a file`);
}

function splitter(salt: Uint8Array, onLine: (line: ReadLine) => void, wanted: number | undefined) {
  let number = 0;
  let hash: Hash | null = null;
  let kept: Uint8Array[] = [];
  const begin = (): Hash =>
    createHash('sha256')
      .update(Uint8Array.of(0))
      .update(lineSalt(salt, ++number, sha256));
  const end = (hasEnd = false): void => {
    if (hash === null) return;
    onLine({ number, leaf: hash.digest(), bytes: number === wanted ? Buffer.concat(kept) : null, hasEnd });
    hash = null;
    kept = [];
  };
  const add = (chunk: Buffer): void => {
    for (let from = 0; from < chunk.length;) {
      const at = chunk.indexOf(LF, from);
      const part = chunk.subarray(from, at === -1 ? chunk.length : at);
      hash ??= begin();
      hash.update(part);
      if (number === wanted) kept.push(Uint8Array.from(part));
      if (at === -1) return;
      end(true);
      from = at + 1;
    }
  };
  return { add, end };
}

export interface Compared {
  lines: number;
  root: string;
  /** number of the last line, if it has no line end and was left out */
  leftOut: number | null;
  changeSince(state: { root: string; lines: number }): string | null;
}

/** The tree, and its roots at these sizes. */
function rootsAt(sizes: ReadonlySet<number>) {
  const tree = new LogTree(sha256);
  const roots = new Map<number, string>();
  const note = () => {
    if (sizes.has(tree.size)) roots.set(tree.size, bytesToHex(tree.root()));
  };
  note();
  const add = (leaf: Uint8Array): void => {
    tree.add(leaf);
    note();
  };
  return { tree, add, at: (size: number): string | undefined => roots.get(size) };
}

/**
 * Stored leaves name the first changed line; they count only where they give the anchored root. With a writer, a
 * last line without a line end counts only if it was anchored: a program may be writing it.
 */
export async function compareLog(
  log: string,
  state: LogState,
  anchored: readonly { root: string; lines: number }[],
  writer?: Pick<ReturnType<typeof writeLeaves>, 'add'>,
): Promise<Compared> {
  const sizes = new Set(anchored.map(({ lines }) => lines));
  const now = rootsAt(sizes);
  const stored = rootsAt(sizes);
  const anchoredLines = Math.max(0, ...sizes);
  let firstChange: number | null = null;
  let leftOut: number | null = null;
  const reader = readLeaves(log);
  try {
    await readLog(log, saltOf(state), ({ number, leaf, hasEnd }) => {
      if (writer !== undefined && !hasEnd && number > anchoredLines) {
        leftOut = number;
        return;
      }
      now.add(leaf);
      writer?.add(leaf);
      const { value: before } = reader.next();
      if (before === undefined) return;
      stored.add(before);
      if (firstChange === null && Buffer.compare(before, leaf) !== 0) firstChange = number;
    });
    for (const before of reader) stored.add(before);
  } finally {
    reader.return(undefined);
  }
  const { size: lines } = now.tree;
  const matching = anchored.filter((one) => now.at(one.lines) === one.root).map((one) => one.lines);
  return {
    lines,
    root: bytesToHex(now.tree.root()),
    leftOut,
    changeSince: ({ root, lines: size }) => {
      if (now.at(size) === root) return null;
      if (stored.at(size) === root)
        return firstChange !== null && firstChange <= size
          ? `line ${firstChange} is not the anchored line`
          : `line ${lines + 1} is missing: the file has ${lines} lines`;
      const from = Math.max(0, ...matching.filter((one) => one < size)) + 1;
      if (lines < from) return `line ${lines + 1} is missing: the file has ${lines} lines`;
      return `the first changed line is one of the lines ${from} to ${size}`;
    },
  };
}
