import { readFileSync, rmSync } from 'node:fs';
import { AttestedTrees } from '@svc/verifier';
import type { AttestedTree, Trust } from '@svc/verifier';
import { writePrivate } from '../config-folder.ts';
import { CommandError, EXIT } from '../exit.ts';
import type { ChainSide } from './chain-side.ts';
import type { TreeOutcome } from './fetch-trees.ts';
import { KeyedSums } from './keyed-sums.ts';

/** What the trees hold of one account: how much, and all of it as one number. */
export interface AccountSum {
  etches: number;
  tombstones: number;
  sum: bigint;
  /** one of its hashes, by which the service tells its name */
  sample: string;
  /** undefined: its record was not looked at yet */
  verdict?: 'same' | 'differs';
  username?: string;
}

/** Where an audit of a whole service stands: it can be left at any moment and taken up again. */
export interface AuditState {
  side: ChainSide;
  outcomes: Map<string, { tree: AttestedTree; outcome: TreeOutcome }>;
  unnamed: number;
  accounts: Map<string, AccountSum>;
  sums: KeyedSums;
}

const FORMAT = 'svc-audit:v2';

export function newState(side: ChainSide): AuditState {
  return { side, outcomes: new Map(), unnamed: 0, accounts: new Map(), sums: new KeyedSums() };
}

/** Whose audit it is: another service or other trust begins anew. */
const subjectOf = (origin: string, trust: Trust): string => JSON.stringify([origin, trust]);

export function saveState(path: string, origin: string, trust: Trust, state: AuditState): void {
  const { side, outcomes, unnamed, accounts, sums } = state;
  const kept = {
    format: FORMAT,
    subject: subjectOf(origin, trust),
    next: side.next,
    strangers: side.strangers,
    unreadable: side.trees.unreadable,
    trees: [...side.trees.trees.entries()].map(([name, tree]) => [tree, outcomes.get(name)?.outcome ?? null]),
    unnamed,
    key: sums.key,
    accounts: [...accounts].map(([id, { sum, ...rest }]) => [id, { ...rest, sum: sum.toString(16) }]),
  };
  writePrivate(path, JSON.stringify(kept));
}

/** Null when there is none, or one of something else. @throws {CommandError} when it cannot be read */
export function loadState(path: string, origin: string, trust: Trust): AuditState | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CommandError(EXIT.usage, `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const kept = JSON.parse(text) as Kept;
    if (kept.format !== FORMAT) throw new TypeError('another format');
    if (kept.subject !== subjectOf(origin, trust)) return null;
    return restore(kept);
  } catch {
    throw new CommandError(
      EXIT.usage,
      `${path} does not hold the state of an audit; name another with --state`,
    );
  }
}

interface Kept {
  format: string;
  subject: string;
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
  const state = newState({ trees, next: kept.next, strangers: kept.strangers });
  trees.unreadable.push(...kept.unreadable);
  for (const [tree, outcome] of kept.trees) {
    const name = trees.keep(tree);
    if (outcome !== null) state.outcomes.set(name, { tree, outcome });
  }
  return {
    ...state,
    unnamed: kept.unnamed,
    accounts: new Map(kept.accounts.map(([id, rest]) => [id, { ...rest, sum: BigInt(`0x${rest.sum}`) }])),
    sums: new KeyedSums(kept.key),
  };
}

export const dropState = (path: string): void => rmSync(path, { force: true });
