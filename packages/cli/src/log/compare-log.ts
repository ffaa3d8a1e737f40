import { bytesToHex } from '@svc/protocol';
import { LogTree } from '@svc/protocol/conventions';
import { sha256 } from '../files/manifest-file.ts';
import { LeavesReader, type LeavesWriter, type LogState, saltOf } from './log-folder.ts';
import { readLog } from './read-log.ts';

export interface Compared {
  lines: number;
  root: string;
  changeSince(state: { root: string; lines: number }): string | null;
}

class RootsAt {
  readonly tree = new LogTree(sha256);
  readonly #sizes: ReadonlySet<number>;
  readonly #roots = new Map<number, string>();

  constructor(sizes: ReadonlySet<number>) {
    this.#sizes = sizes;
    this.#note();
  }

  add(leaf: Uint8Array): void {
    this.tree.add(leaf);
    this.#note();
  }

  at(size: number): string | undefined {
    return this.#roots.get(size);
  }

  #note(): void {
    if (this.#sizes.has(this.tree.size)) this.#roots.set(this.tree.size, bytesToHex(this.tree.root()));
  }
}

/** Stored leaves name the first changed line; they count only where they give the anchored root. */
export async function compareLog(
  log: string,
  state: LogState,
  anchored: readonly { root: string; lines: number }[],
  writer?: LeavesWriter,
): Promise<Compared> {
  const sizes = new Set(anchored.map(({ lines }) => lines));
  const now = new RootsAt(sizes);
  const stored = new RootsAt(sizes);
  let firstChange: number | null = null;
  const reader = new LeavesReader(log);
  try {
    await readLog(log, saltOf(state), ({ number, leaf }) => {
      now.add(leaf);
      writer?.add(leaf);
      const before = reader.next();
      if (before === null) return;
      stored.add(before);
      if (firstChange === null && Buffer.compare(before, leaf) !== 0) firstChange = number;
    });
    for (let before = reader.next(); before !== null; before = reader.next()) stored.add(before);
  } finally {
    reader.close();
  }
  const { size: lines } = now.tree;
  const matching = anchored.filter((one) => now.at(one.lines) === one.root).map((one) => one.lines);
  return {
    lines,
    root: bytesToHex(now.tree.root()),
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
