import { hash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { type AttestedTree, AttestedTrees, type RecordNotice, type Trust } from '@svc/verifier';
import { writePrivate } from '../config-folder.ts';
import { usageError } from '../exit.ts';
import type { ChainSide } from './job.ts';
import type { TreeOutcome } from './fetch-trees.ts';

export interface AccountSum {
  etches: number;
  tombstones: number;
  sum: bigint;
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

export function newState(side: ChainSide): AuditState {
  return {
    since: new Date().toISOString(),
    ended: false,
    side,
    outcomes: new Map(),
    unnamed: 0,
    accounts: new Map(),
    sums: keyedSums(),
  };
}

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
  add(sum: bigint, kind: 0 | 1, leaf: string): bigint {
    const value = hash('sha256', `${key}${kind}${leaf}`, 'hex');
    return (sum + BigInt(`0x${value.slice(0, 32)}`)) & MASK;
  },
});
