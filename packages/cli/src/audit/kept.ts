import { randomInt } from 'node:crypto';
import { isRevokedTree } from '@svc/verifier';
import type { AuditSource } from './audit-source.ts';
import type { AuditState } from './audit-state.ts';
import { fetchTrees } from './fetch-trees.ts';

/** What an audit took from an earlier one, and did not ask for again. */
export interface KeptParts {
  /** when the first of it was asked for */
  since: string;
  trees: number;
  leaves: number;
  /** whose records nothing was anchored for since */
  accounts: number;
  /** of these, chosen at random: looked at again, and found as they were */
  treesAgain: number;
  accountsAgain: number;
}

/** Few enough for a moment. */
const [TREES_AGAIN, ACCOUNTS_AGAIN] = [1, 20];

/**
 * Holds what an ended audit kept against the chain as it is now. Its trees must all be attested still: their leaves are in the accounts'
 * sums. Records are good as long as the attestations that they may name are what they were.
 * @returns false when the chain is another now, so that nothing kept can be used
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

/** What of a state need not be asked for again; null when nothing. */
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

/** Do some of the kept trees, which nobody can know beforehand, still come out of what the service gives? */
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

/** Accounts that have nothing new, some of which are compared again all the same: these are answered. */
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
