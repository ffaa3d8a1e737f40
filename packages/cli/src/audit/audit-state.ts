import { hash, randomBytes, randomInt } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { AttestedTrees, isRevokedTree } from '@svc/verifier';
import type { AttestedTree, RecordNotice, Trust } from '@svc/verifier';
import { writePrivate } from '../config-folder.ts';
import { usageError } from '../exit.ts';
import { type AuditSource, type ChainSide, fetchTrees, type TreeOutcome } from './job.ts';

export interface LeafSum {
  etches: number;
  tombstones: number;
  sum: bigint;
}

export interface AccountSum extends LeafSum {
  sample: string;
  verdict?: 'same' | 'differs';
  username?: string;
  notices?: RecordNotice[];
}

export interface AuditState {
  since: string;
  ended: boolean;
  side: ChainSide;
  outcomes: Map<string, { tree: AttestedTree; outcome: TreeOutcome }>;
  unnamed: number;
  accounts: Map<string, AccountSum>;
  sums: KeyedSums;
}

const FORMAT = 'svc-audit:v4';

export const newState = (side: ChainSide): AuditState => ({
  since: new Date().toISOString(),
  ended: false,
  side,
  outcomes: new Map(),
  unnamed: 0,
  accounts: new Map(),
  sums: keyedSums(),
});

const subjectOf = (origin: string, trust: Trust): string => JSON.stringify([origin, trust]);

export function saveState(path: string, origin: string, trust: Trust, state: AuditState): void {
  const { since, ended, side, outcomes, unnamed, accounts, sums } = state;
  const kept: Kept = {
    subject: subjectOf(origin, trust),
    since,
    ended,
    next: side.next,
    strangers: side.strangers,
    unreadable: side.trees.unreadable,
    trees: [...side.trees.trees.entries()].map(([name, tree]) => [tree, outcomes.get(name)?.outcome ?? null]),
    unnamed,
    key: sums.key,
    accounts: [...accounts].map(([id, { sum, ...rest }]) => [id, { ...rest, sum: sum.toString(16) }]),
  };
  const body = JSON.stringify(kept);
  writePrivate(path, `${headOf(body)}\n${body}`);
}

/** The hash detects damage to the rest. */
const headOf = (body: string): string => JSON.stringify({ format: FORMAT, sha256: hash('sha256', body) });

/** Null for a different service, trust or program version. */
export function loadState(path: string, origin: string, trust: Trust): AuditState | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw usageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const [head = '', body = ''] = text.split('\n', 2);
  if (head !== headOf(body)) {
    if (/^\{"format":"svc-audit:v(?!4")\d+"/.test(head)) return null;
    throw usageError(
      `${path} does not hold the state of an audit, or is damaged; name another with --state, or begin anew with --fresh`,
    );
  }
  const kept = JSON.parse(body) as Kept;
  return kept.subject === subjectOf(origin, trust) ? restore(kept) : null;
}

interface Kept {
  subject: string;
  since: string;
  ended: boolean;
  next: number;
  strangers: number;
  unreadable: string[];
  trees: [name: AttestedTree, outcome: TreeOutcome | null][];
  unnamed: number;
  key: string;
  accounts: [id: string, account: Omit<AccountSum, 'sum'> & { sum: string }][];
}

function restore(kept: Kept): AuditState {
  const trees = new AttestedTrees();
  const side: ChainSide = { trees, next: kept.next, strangers: kept.strangers };
  const state: AuditState = { ...newState(side), since: kept.since, ended: kept.ended };
  trees.unreadable.push(...kept.unreadable);
  for (const [tree, outcome] of kept.trees) {
    const name = trees.keep(tree);
    if (outcome !== null) state.outcomes.set(name, { tree, outcome });
  }
  return {
    ...state,
    unnamed: kept.unnamed,
    accounts: new Map(kept.accounts.map(([id, rest]) => [id, { ...rest, sum: BigInt(`0x${rest.sum}`) }])),
    sums: keyedSums(kept.key),
  };
}

export const dropState = (path: string): void => rmSync(path, { force: true });

const MASK = (1n << 128n) - 1n;

type KeyedSums = ReturnType<typeof keyedSums>;

/** A set of hashes as one number, the sum of keyed hashes. Two sets with the same sum need the key. */
const keyedSums = (key = randomBytes(32).toString('hex')) => ({
  key,
  add(to: LeafSum, kind: 0 | 1, leaf: string): void {
    const value = hash('sha256', `${key}${kind}${leaf}`, 'hex');
    to.sum = (to.sum + BigInt(`0x${value.slice(0, 32)}`)) & MASK;
    if (kind === 0) to.etches++;
    else to.tombstones++;
  },
});

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
  await fetchTrees({ client, parallel: 1 }, trees, ({ outcome }) => {
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
  const length = Math.min(count, all.length);
  return Array.from({ length }, () => left.splice(randomInt(left.length), 1)[0]!);
}
