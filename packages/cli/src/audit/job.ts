import { AttestedTrees } from '@svc/verifier';
import type { LogReader, RecordCounts, RecordedEtch, RecordFault, RecordNotice, Trust } from '@svc/verifier';
import type { AuditSource, TreeOutcomes } from './fetch-trees.ts';
import type { Context, Progress } from '../context.ts';
import { EXIT, inputError, parsed, waitError } from '../exit.ts';
import { parseVerifierKey, TlogError, type VerifierKey } from '@svc/protocol/tlog';
import type { ServiceFacts } from '@svc/sdk';
import { chooseEndpoint, chooseTrust, readNamedTrust } from '../find-trust.ts';
import type { Chosen, TrustOptions } from '../find-trust.ts';
import { pinsPath, readPin } from '../pins.ts';
import { holdsIf } from '../verdict-words.ts';

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

export interface AuditTrust {
  chosen: Chosen;
  urls: readonly string[];
  condition: string | null;
  notes: string[];
  /** pinned; empty: no audit can read the log of trees */
  logKeys: readonly VerifierKey[];
}

export async function chooseAuditTrust(
  options: TrustOptions,
  origin: string,
  facts: ServiceFacts | null,
  { env }: Pick<Context, 'env'>,
): Promise<AuditTrust> {
  const named = await readNamedTrust(options.trust);
  const pins = pinsPath(env);
  const pin = readPin(pins, origin);
  const chosen = chooseTrust(options, { trust: named?.facts.trust, pin: pin?.trust, service: facts?.trust });
  if (chosen === null)
    throw inputError(
      'the service does not publish its chain; name --trust, or --relayer, --contract, --schema and --chain-id',
    );
  const endpoint = chooseEndpoint(options.rpc, chosen.trust, named, pin, facts);
  if (endpoint.urls.length === 0) throw waitError(endpoint.notes.join('; '));
  return {
    chosen,
    urls: endpoint.urls,
    condition: holdsIf(chosen, endpoint, origin),
    notes: [
      ...chosen.notes,
      ...(chosen.source === 'pin'
        ? [`the trusted values are those that you pinned for ${origin} in ${pins}`]
        : []),
      ...endpoint.notes,
    ],
    logKeys: (pin?.logKeys ?? []).map((key) => parsePinned(key, pins)),
  };
}

const parsePinned = (key: string, path: string): VerifierKey =>
  parsed(() => parseVerifierKey(key), TlogError, `${path}: log_keys`, EXIT.usage);
