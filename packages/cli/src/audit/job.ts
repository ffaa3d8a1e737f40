import type { LogReader, RecordCounts, RecordedEtch, RecordFault, RecordNotice, Trust } from '@svc/verifier';
import type { AuditSource } from './audit-source.ts';
import type { ChainSide } from './chain-side.ts';
import type { TreeOutcomes } from './fetch-trees.ts';
import type { Progress } from '../progress.ts';

export interface AuditJob {
  client: AuditSource;
  trust: Trust;
  reader: LogReader;
  progress: Progress;
  /** requests at the same time */
  parallel: number;
  /** receives each etch of the records that are compared */
  watch?: (etch: RecordedEtch) => void;
}

/** The comparison of one account's record with the chain. */
export interface AccountFinding {
  username: string;
  user_id: string;
  counts: RecordCounts;
  faults: RecordFault[];
}

/** A notice about an etch of the account. */
export interface AccountNotice extends RecordNotice {
  username: string;
}

export interface Findings {
  side: ChainSide;
  outcomes: TreeOutcomes;
  /** leaves in rebuilt trees of version 1, which name no author */
  unnamed: number;
  accounts: AccountFinding[];
  /** observations that are not faults */
  notices: AccountNotice[];
  /** accounts whose record could not be read, and why */
  unread: { account: string; detail: string }[];
}

/** `fail`: something on the chain is missing or different. `wait`: something could not be read. */
export function resultOf({ side, outcomes, accounts, unread }: Findings): 'pass' | 'fail' | 'wait' {
  const states = [...outcomes.values()].map(({ outcome }) => outcome.state);
  if (states.includes('broken') || accounts.some(({ faults }) => faults.length > 0)) return 'fail';
  const known = states.length === side.trees.trees.size && !states.includes('unproven');
  return known && unread.length === 0 && side.trees.unreadable.length === 0 ? 'pass' : 'wait';
}
