import { bytesToHex } from '@svc/protocol';
import { LogTree } from '@svc/protocol/conventions';
import { sha256 } from '../files/manifest-file.ts';
import { type LogState, readLeaves, saltOf, type writeLeaves } from './log-folder.ts';
import { readLog } from './read-log.ts';

export interface Compared {
  lines: number;
  root: string;
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

/** Stored leaves name the first changed line; they count only where they give the anchored root. */
export async function compareLog(
  log: string,
  state: LogState,
  anchored: readonly { root: string; lines: number }[],
  writer?: Pick<ReturnType<typeof writeLeaves>, 'add'>,
): Promise<Compared> {
  const sizes = new Set(anchored.map(({ lines }) => lines));
  const now = rootsAt(sizes);
  const stored = rootsAt(sizes);
  let firstChange: number | null = null;
  const reader = readLeaves(log);
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
