import { randomInt } from 'node:crypto';
import { isRevokedTree } from '@svc/verifier';
import { type AuditSource, fetchTrees } from './fetch-trees.ts';
import type { AuditState } from './audit-state.ts';

export interface KeptParts {
  since: string;
  trees: number;
  leaves: number;
  accounts: number;
  treesAgain: number;
  accountsAgain: number;
}

const [TREES_AGAIN, ACCOUNTS_AGAIN] = [1, 20];

/**
 * All trees must still be attested. Records stay valid while the attestations that they may name are unchanged.
 * @returns false when no result can be reused
 */
export function reconcile(state: AuditState): boolean {
  const rebuilt = [...state.outcomes].filter(([, { outcome }]) => outcome.state === 'rebuilt');
  state.outcomes.clear();
  let isSame = true;
  for (const [name, { tree, outcome }] of rebuilt) {
    const now = state.side.trees.trees.get(name);
    if (now === undefined || isRevokedTree(now)) return false;
    state.outcomes.set(name, { tree: now, outcome });
    isSame &&= now.revoked === tree.revoked && tree.uids.every((uid) => now.uids.includes(uid));
  }
  for (const account of state.accounts.values())
    if (!isSame || account.verdict === 'differs') delete account.verdict;
  return true;
}

export function keptParts({ since, outcomes, accounts }: AuditState): KeptParts | null {
  const rebuilt = [...outcomes.values()].filter(({ outcome }) => outcome.state === 'rebuilt');
  if (rebuilt.length === 0) return null;
  return {
    since,
    trees: rebuilt.length,
    leaves: rebuilt.reduce((sum, { tree }) => sum + tree.treeSize, 0),
    accounts: [...accounts.values()].filter(({ verdict }) => verdict === 'same').length,
    treesAgain: 0,
    accountsAgain: 0,
  };
}

/** The service cannot predict the sample. */
export async function treesAgain(
  { outcomes }: AuditState,
  kept: KeptParts,
  client: AuditSource,
): Promise<boolean> {
  const trees = someOf([...outcomes.values()], TREES_AGAIN).map(({ tree }) => tree);
  await fetchTrees(client, trees, 1, ({ outcome }) => {
    if (outcome.state === 'rebuilt') kept.treesAgain++;
  });
  return kept.treesAgain === trees.length;
}

export function accountsAgain({ accounts }: AuditState, kept: KeptParts): ReadonlySet<string> {
  const same = [...accounts].filter(([, { verdict }]) => verdict === 'same');
  const again = someOf(same, ACCOUNTS_AGAIN);
  for (const [, account] of again) delete account.verdict;
  kept.accounts = same.length;
  kept.accountsAgain = again.length;
  return new Set(again.map(([id]) => id));
}

function someOf<T>(all: readonly T[], count: number): T[] {
  const left = [...all];
  return Array.from(
    { length: Math.min(count, all.length) },
    () => left.splice(randomInt(left.length), 1)[0]!,
  );
}
