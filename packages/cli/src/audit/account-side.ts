import type { AccountLeaves } from '@svc/verifier';
import type { FetchedTree } from './fetch-trees.ts';

/** Leaves of some accounts, out of trees that came out again. */
export class AccountSide {
  /** in rebuilt trees of version 1, whose leaves name nobody */
  unnamed = 0;
  private readonly wanted: Map<
    string,
    { etches: Map<string, string>; tombstones: Map<string, string>; singles: Set<string> }
  >;

  constructor(userIds: Iterable<string>) {
    this.wanted = new Map(
      [...userIds].map((id) => [id, { etches: new Map(), tombstones: new Map(), singles: new Set() }]),
    );
  }

  take({ tree, leaves }: FetchedTree): void {
    if (tree.treeVersion === 1) {
      if (tree.kind === 0) this.unnamed += leaves.length;
      return;
    }
    for (const { user_id: userId = '', hash } of leaves) {
      const account = this.wanted.get(userId);
      if (account === undefined) continue;
      if (tree.treeVersion === 0) account.singles.add(hash);
      else (tree.kind === 0 ? account.etches : account.tombstones).set(hash, tree.root);
    }
  }

  of(userId: string): AccountLeaves {
    return this.wanted.get(userId)!;
  }
}
