import {
  type AttestedTree,
  AttestedTrees,
  isRevokedTree,
  type LogReader,
  normalizeTrust,
  rebuildFault,
  type RecordCounts,
  type RecordedEtch,
  type RecordFault,
  type RecordNotice,
  rpcLogReader,
  type RpcOptions,
  treeName,
  type Trust,
} from '@svc/verifier';
import { type Context, present, type Progress } from '../context.ts';
import { EXIT, inputError, parsed, waitError } from '../exit.ts';
import { parseVerifierKey, TlogError, type VerifierKey } from '@svc/protocol/tlog';
import { ApiError, type Client, ConnectionError, createClient, type Etch } from '@svc/sdk';
import { chooseEndpoint, chooseTrust, pinNotes, readNamedTrust } from '../find-trust.ts';
import type { Chosen, Known, TrustOptions } from '../find-trust.ts';
import { pinsPath, readPin } from '../pins.ts';
import { holdsIf } from '../verdict-words.ts';
import { hash } from 'node:crypto';

export interface AuditJob extends Pick<AuditTrust, 'trust' | 'reader'> {
  client: AuditSource;
  progress: Progress;
  parallel: number;
  /** to standard error */
  note?: (text: string) => void;
  watch?: (etch: RecordedEtch) => void;
  /** receives each record that was read to its end, by username */
  records?: Map<string, Etch[]>;
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

export interface ReaderTrust {
  chosen: Chosen;
  /** normalized */
  trust: Trust;
  condition: string | null;
  notes: string[];
  /** pinned; empty: no audit can read the log of trees */
  logKeys: readonly VerifierKey[];
}

export interface AuditTrust extends ReaderTrust {
  reader: LogReader;
}

export async function chooseAuditTrust(...args: TrustArguments): Promise<AuditTrust> {
  const { endpoint, ...rest } = await chooseReaderTrust(...args);
  if (endpoint === null) throw waitError(rest.notes.join('; '));
  return { ...rest, reader: rpcLogReader(rest.chosen.trust, endpoint) };
}

type TrustArguments = Parameters<typeof chooseReaderTrust>;

/** `endpoint` is null when no endpoint of the chain is known. */
export async function chooseReaderTrust(
  options: TrustOptions,
  origin: string,
  facts: Known['facts'],
  { env }: Pick<Context, 'env'>,
): Promise<ReaderTrust & { endpoint: RpcOptions | null }> {
  const named = await readNamedTrust(options.trust);
  const pins = pinsPath(env);
  const known = { named, pin: readPin(pins, origin), facts };
  const chosen = chooseTrust(options, known);
  if (chosen === null)
    throw inputError(
      'the service does not publish its chain; name --trust, or --relayer, --contract, --schema and --chain-id',
    );
  const { urls, ...endpoint } = chooseEndpoint(options.rpc, chosen.trust, known, origin);
  return {
    chosen,
    trust: normalizeTrust(chosen.trust),
    endpoint: urls.length === 0 ? null : { urls, ...present({ fetch: endpoint.fetch }) },
    condition: holdsIf(chosen, { urls, ...endpoint }, origin),
    notes: [...chosen.notes, ...pinNotes(chosen, origin, pins), ...endpoint.notes],
    logKeys: (known.pin?.logKeys ?? []).map((key) => parsePinned(key, pins)),
  };
}

const parsePinned = (key: string, path: string): VerifierKey =>
  parsed(() => parseVerifierKey(key), TlogError, `${path}: log_keys`, EXIT.usage);

export type AuditSource = Pick<Client, 'origin' | 'record' | 'treeLeaves' | 'findEtch'>;

/**
 * Without credentials, because the audit proves public data. Unchecked, because the audit counts contradictions.
 * Retries for half an hour, because the service limits requests per minute.
 */
export const auditClient = (origin: string): Client =>
  createClient({
    baseUrl: origin,
    checkAnswers: false,
    fetch: plainOnLoopback(origin),
    retry: { attempts: 40, maxWaitMs: 1_800_000 },
  });

/** On this machine, compression takes longer than sending. */
function plainOnLoopback(origin: string): typeof fetch | undefined {
  const { hostname } = new URL(origin);
  if (!/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
  return (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('accept-encoding', 'identity');
    return fetch(url, { ...init, headers });
  };
}

export type TreeOutcome =
  | { state: 'rebuilt' }
  | { state: 'broken'; detail: string }
  | { state: 'unproven'; detail: string };

export interface FetchedTree {
  tree: AttestedTree;
  outcome: TreeOutcome;
  leaves: LeafList | null;
  /** an etch without a tree, with the author that the service names */
  single: { userId: string; hash: string } | null;
}

type Fetching = Pick<AuditJob, 'client' | 'parallel'>;

export const fetchTrees = (
  { client, parallel }: Fetching,
  trees: readonly AttestedTree[],
  take: (fetched: FetchedTree) => void,
): Promise<void> => inParallel(trees, parallel, async (tree) => take(await fetchTree(client, tree)));

/** Fetches trees and stores their outcomes. */
export const foldTrees = (
  job: Fetching,
  trees: readonly AttestedTree[],
  outcomes: TreeOutcomes,
  take: (fetched: FetchedTree) => void,
): Promise<void> =>
  fetchTrees(job, trees, (fetched) => {
    const { tree, outcome } = fetched;
    outcomes.set(treeName(tree), { tree, outcome });
    take(fetched);
  });

export const notRebuilt = (trees: Iterable<AttestedTree>, outcomes: TreeOutcomes): AttestedTree[] =>
  [...trees].filter((tree) => outcomeOf(outcomes, tree) !== 'rebuilt');

export async function inParallel<T>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
}

async function fetchTree(client: AuditSource, tree: AttestedTree): Promise<FetchedTree> {
  const none = { tree, leaves: null, single: null };
  const broken = (detail: string): FetchedTree => ({ ...none, outcome: { state: 'broken', detail } });
  const unproven = (detail: string): FetchedTree => ({ ...none, outcome: { state: 'unproven', detail } });
  if (isRevokedTree(tree))
    return broken('one of its attestations was revoked, and a service never revokes a tree');
  const rebuilt = { ...none, outcome: { state: 'rebuilt' } } as const;
  try {
    if (tree.treeVersion === 0) {
      const { author, hash, chain } = await client.findEtch(tree.root);
      const fault = rebuildFault(tree, [{ hash }]);
      if (fault !== null) return broken(fault);
      if (chain.attestation_uid === null)
        return unproven('the service shows the etch with this attested hash as pending');
      return { ...rebuilt, single: { userId: author.user_id, hash } };
    }
    const packed = await client.treeLeaves(tree.root, tree.kind, tree.treeVersion);
    const fault = rebuildFault(tree, packed, sha256);
    if (fault !== null) return broken(fault);
    return { ...rebuilt, leaves: leafList(tree.treeVersion, packed) };
  } catch (error) {
    if (error instanceof RangeError) return broken(`its leaves cannot be folded: ${error.message}`);
    if (error instanceof ApiError && error.status === 404)
      return tree.treeVersion === 0
        ? broken('the service has no etch with this attested hash')
        : unproven('the service does not have its leaves');
    if (error instanceof ApiError || error instanceof ConnectionError) return unproven(error.message);
    throw error;
  }
}

export type TreeOutcomes = Map<string, { tree: AttestedTree; outcome: TreeOutcome }>;

export const outcomeOf = (outcomes: TreeOutcomes, tree: AttestedTree): TreeOutcome['state'] | undefined =>
  outcomes.get(treeName(tree))?.outcome.state;

/** A binary string takes half the time of bytes. */
export const sha256 = (data: Uint8Array): Uint8Array => Buffer.from(hash('sha256', data, 'binary'), 'binary');

export type LeafList = ReturnType<typeof leafList>;

/** Packed bytes: a million objects would fill the memory. */
function leafList(treeVersion: 1 | 2, packed: Uint8Array) {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const width = treeVersion === 2 ? 48 : 32;
  return {
    count: packed.length / width,
    hash: (index: number): string => bytes.toString('hex', (index + 1) * width - 32, (index + 1) * width),
    has(hash: string): boolean {
      const wanted = Buffer.from(hash, 'hex');
      for (let at = 0; (at = bytes.indexOf(wanted, at)) !== -1; at++)
        if ((at + wanted.length) % width === 0) return true;
      return false;
    },
    userId(index: number): string {
      const hex = bytes.toString('hex', index * width, index * width + 16);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}
