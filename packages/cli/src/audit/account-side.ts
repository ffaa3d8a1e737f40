import type { AccountLeaves } from '@svc/verifier';
import type { FetchedTree } from './fetch-trees.ts';
import type { LeafList } from './leaf-list.ts';

export class AccountSide {
  unnamed = 0;
  private readonly unnamedLeaves: LeafList[] = [];
  private readonly wanted: Map<
    string,
    { etches: Map<string, string>; tombstones: Map<string, string>; singles: Set<string> }
  >;

  constructor(userIds: Iterable<string>) {
    this.wanted = new Map(
      [...userIds].map((id) => [id, { etches: new Map(), tombstones: new Map(), singles: new Set() }]),
    );
  }

  take({ tree, leaves, single }: FetchedTree): void {
    if (single !== null) this.wanted.get(single.userId)?.singles.add(single.hash);
    if (leaves === null) return;
    if (tree.treeVersion === 1) {
      if (tree.kind === 0) {
        this.unnamed += leaves.count;
        this.unnamedLeaves.push(leaves);
      }
      return;
    }
    for (let index = 0; index < leaves.count; index++) {
      const account = this.wanted.get(leaves.userId(index));
      if (account === undefined) continue;
      (tree.kind === 0 ? account.etches : account.tombstones).set(leaves.hash(index), tree.root);
    }
  }

  of(userId: string): AccountLeaves {
    const unnamed = { has: (hash: string) => this.unnamedLeaves.some((leaves) => leaves.has(hash)) };
    return { ...this.wanted.get(userId)!, unnamed };
  }
}
