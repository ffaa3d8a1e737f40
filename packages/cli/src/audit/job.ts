import { AttestedTrees } from '@svc/verifier';
import type { LogReader, RecordCounts, RecordedEtch, RecordFault, RecordNotice, Trust } from '@svc/verifier';
import type { AuditSource, TreeOutcomes } from './fetch-trees.ts';
import type { Progress } from '../progress.ts';

export interface AuditJob {
  client: AuditSource;
  trust: Trust;
  reader: LogReader;
  progress: Progress;
  parallel: number;
  watch?: (etch: RecordedEtch) => void;
}

export interface AccountFinding {
  username: string;
  user_id: string;
  counts: RecordCounts;
  faults: RecordFault[];
}

export interface AccountNotice extends RecordNotice {
  username: string;
}

export interface Findings {
  side: ChainSide;
  outcomes: TreeOutcomes;
  /** leaves of version 1 name no author */
  unnamed: number;
  accounts: AccountFinding[];
  notices: AccountNotice[];
  unread: { account: string; detail: string }[];
}

export function resultOf({ side, outcomes, accounts, unread }: Findings): 'pass' | 'fail' | 'wait' {
  const states = [...outcomes.values()].map(({ outcome }) => outcome.state);
  if (states.includes('broken') || accounts.some(({ faults }) => faults.length > 0)) return 'fail';
  const known = states.length === side.trees.trees.size && !states.includes('unproven');
  return known && unread.length === 0 && side.trees.unreadable.length === 0 ? 'pass' : 'wait';
}

export interface ChainSide {
  trees: AttestedTrees;
  next: number;
  /** attestations under the schema by untrusted attesters */
  strangers: number;
}

export const emptyChainSide = (first: number): ChainSide => ({
  trees: new AttestedTrees(),
  next: first,
  strangers: 0,
});

export async function readOn(
  side: ChainSide,
  reader: LogReader,
  trust: Trust,
  to: number,
  afterRange: () => void,
): Promise<void> {
  for await (const range of reader.attested(side.next, to)) {
    const trusted = range.logs.filter(({ attester }) => trust.relayers.includes(attester));
    for (const attestation of await reader.attestations(trusted)) side.trees.add(attestation);
    side.strangers += range.logs.length - trusted.length;
    side.next = range.to + 1;
    afterRange();
  }
}
