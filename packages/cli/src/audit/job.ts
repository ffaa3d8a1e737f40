import type { LogReader, RecordCounts, RecordFault, RecordNotice, Trust } from '@svc/verifier';
import type { AuditSource } from './audit-source.ts';
import type { ChainSide } from './chain-side.ts';
import type { TreeOutcomes } from './fetch-trees.ts';
import type { Progress } from './progress.ts';

/** What an audit works with. */
export interface AuditJob {
  client: AuditSource;
  trust: Trust;
  reader: LogReader;
  progress: Progress;
  /** requests at the same time */
  parallel: number;
}

/** One account's record beside what the chain holds of it. */
export interface AccountFinding {
  username: string;
  user_id: string;
  counts: RecordCounts;
  faults: RecordFault[];
}

/** A notice, and whose etch it is about. */
export interface AccountNotice extends RecordNotice {
  username: string;
}

/** What an audit found out. */
export interface Findings {
  side: ChainSide;
  outcomes: TreeOutcomes;
  /** in rebuilt trees of version 1, whose leaves name nobody */
  unnamed: number;
  accounts: AccountFinding[];
  /** what is no fault, and counted and named */
  notices: AccountNotice[];
  /** accounts that could not be looked at, and why */
  unread: { account: string; detail: string }[];
}

/** `fail`: something on the chain is missing or different. `wait`: something could not be looked at. */
export function resultOf({ side, outcomes, accounts, unread }: Findings): 'pass' | 'fail' | 'wait' {
  const states = [...outcomes.values()].map(({ outcome }) => outcome.state);
  if (states.includes('broken') || accounts.some(({ faults }) => faults.length > 0)) return 'fail';
  const known = states.length === side.trees.trees.size && !states.includes('unproven');
  return known && unread.length === 0 && side.trees.unreadable.length === 0 ? 'pass' : 'wait';
}
