import { ApiError, ConnectionError, type Etch } from '@svc/sdk';
import { etchFault, etchNotice, ProofFolder } from '@svc/verifier';
import type { AttestedTree, RecordFolding, RecordNotice } from '@svc/verifier';
import { auditAccounts } from './audit-accounts.ts';
import { accountsAgain, keptParts, newState, reconcile, treesAgain } from './audit-state.ts';
import type { AccountSum, AuditState, KeptParts, LeafSum } from './audit-state.ts';
import {
  emptyChainSide,
  fetchTrees,
  foldTrees,
  inParallel,
  notRebuilt,
  outcomeOf,
  readOn,
  sha256,
} from './job.ts';
import type { AccountFinding, AccountNotice, AuditJob, FetchedTree, Findings } from './job.ts';

const NAMED = 100;
const SAVE_EVERY_MS = 5_000;
const PAGE = 100;

export interface WholeFindings extends Findings {
  /** time of its start */
  auditedAt: string;
  accountsNamed: number;
  accountsSame: number;
  differing: number;
  kept: KeptParts | null;
  /** why everything was audited again */
  keptNoMore: string | null;
}

/**
 * Rebuilds every tree, then compares each record by number and sum, and hash by hash where these differ. Reuses
 * earlier results if chain and random samples agree.
 * @param save called between steps with a consistent state
 */
export async function auditAll(
  job: AuditJob,
  state: AuditState,
  save: (state: AuditState) => void,
): Promise<WholeFindings> {
  const first = state.side.next;
  const found = await auditOn(job, state, save);
  if (found !== null) return found;
  const anew = newState(emptyChainSide(first));
  return { ...(await auditOn(job, anew, save))!, keptNoMore: state.since };
}

async function auditOn(
  job: AuditJob,
  state: AuditState,
  save: (state: AuditState) => void,
): Promise<WholeFindings | null> {
  const auditedAt = new Date().toISOString();
  let saved = performance.now();
  const now = (always = false) => {
    if (!always && performance.now() - saved < SAVE_EVERY_MS) return;
    save(state);
    saved = performance.now();
  };
  const head = await job.reader.head();
  await readOn(state.side, job.reader, job.trust, head, () => {
    job.progress.show('blocks', state.side.next, head + 1);
    // Records are compared once the chain is read to its end.
    if (!state.ended) now();
  });
  if (state.ended && !reconcile(state)) return null;
  const kept = keptParts(state);
  if (state.ended && kept !== null && !(await treesAgain(state, kept, job.client))) return null;
  now(true);
  await foldAll(job, state, now);
  const again = state.ended && kept !== null ? accountsAgain(state, kept) : [];
  if (kept !== null && !state.ended) kept.accounts = sameOf(state);
  now(true);
  const { unread, later, pending } = await compareRecords(job, state, now);
  now(true);
  await settleLater(job, state, later);
  await findUnnamed(job, state, pending);
  if ([...again].some((id) => state.accounts.get(id)?.verdict === 'differs')) return null;
  const differing = [...state.accounts].filter(([, { verdict }]) => verdict === 'differs');
  const known = differing.flatMap(([user_id, { username }]) =>
    username === undefined ? [] : { user_id, username },
  );
  const { side, outcomes, unnamed } = state;
  const same = { side, outcomes, unnamed, accounts: [], notices: [], unread: [] };
  const findings = known.length === 0 ? same : await auditAccounts(job, known.slice(0, NAMED), side);
  const nameless = differing.flatMap(([id, account]) =>
    account.username === undefined ? lost(id, account) : [],
  );
  return {
    ...findings,
    auditedAt,
    accounts: [...nameless, ...findings.accounts],
    notices: noticesOf(state),
    unread: [...unread, ...findings.unread],
    accountsNamed: state.accounts.size,
    accountsSame: sameOf(state),
    differing: Math.max(0, known.length - NAMED),
    kept,
    keptNoMore: null,
  };
}

const sameOf = ({ accounts }: AuditState): number =>
  [...accounts.values()].filter(({ verdict }) => verdict === 'same').length;

const noticesOf = ({ accounts }: AuditState): AccountNotice[] =>
  [...accounts].flatMap(([id, { username = id, notices = [] }]) =>
    notices.map((notice) => ({ username, ...notice })),
  );

function lost(id: string, { sample, etches }: AccountSum): AccountFinding {
  const detail = 'a tree has this leaf, but the service does not return it as an etch of this account';
  return {
    username: id,
    user_id: id,
    counts: {
      leaves: etches,
      shown: 0,
      sealed: 0,
      retracted: 0,
      takenDown: 0,
      pending: 0,
      treeV1: 0,
      single: 0,
    },
    faults: [{ what: 'missing', etch_id: null, hash: sample, detail }],
  };
}

async function foldAll(job: AuditJob, state: AuditState, now: () => void): Promise<void> {
  const all = [...state.side.trees.trees.values()];
  const left = notRebuilt(all, state.outcomes);
  const total = sizeOf(all);
  let done = total - sizeOf(left);
  await foldTrees(job, left, state.outcomes, (fetched) => {
    addUp(state, fetched);
    job.progress.show('leaves', (done += fetched.tree.treeSize), total);
    now();
  });
}

const sizeOf = (trees: readonly AttestedTree[]) => trees.reduce((sum, { treeSize }) => sum + treeSize, 0);

function addUp(state: AuditState, { tree, leaves }: FetchedTree): void {
  if (leaves === null) return;
  if (tree.treeVersion === 1) {
    if (tree.kind === 0) state.unnamed += leaves.count;
    return;
  }
  for (let index = 0; index < leaves.count; index++) {
    const [userId, hash] = [leaves.userId(index), leaves.hash(index)];
    let account = state.accounts.get(userId);
    if (account === undefined)
      state.accounts.set(userId, (account = { etches: 0, tombstones: 0, sum: 0n, sample: hash }));
    state.sums.add(account, tree.kind, hash);
    delete account.verdict;
  }
}

/** Attested after the part of the chain that was read. */
type Later = Map<string, Etch[]>;
type Pending = Map<string, string[]>;

async function compareRecords(
  job: AuditJob,
  state: AuditState,
  now: () => void,
): Promise<{ unread: Findings['unread']; later: Later; pending: Pending }> {
  const unread: Findings['unread'] = [];
  const later: Later = new Map();
  const pending: Pending = new Map();
  const left = [...state.accounts].filter(([, { verdict }]) => verdict === undefined);
  const folding = { folder: new ProofFolder(sha256), sha256 };
  let done = state.accounts.size - left.length;
  await inParallel(left, job.parallel, async ([userId, account]) => {
    try {
      const { same, unsettled, unanchored } = await compareRecord(job, state, [userId, account], folding);
      if (unanchored.length > 0) pending.set(userId, unanchored);
      if (!same) account.verdict = 'differs';
      else if (unsettled.length === 0) account.verdict = 'same';
      else later.set(userId, unsettled);
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) throw error;
      if (error instanceof ApiError && error.status === 404) account.verdict = 'differs';
      else unread.push({ account: account.username ?? userId, detail: error.message });
    }
    job.progress.show('accounts', ++done, state.accounts.size);
    now();
  });
  return { unread, later, pending };
}

async function compareRecord(
  { client }: AuditJob,
  { side, outcomes, sums }: AuditState,
  [userId, account]: [string, AccountSum],
  folding: RecordFolding,
): Promise<{ same: boolean; unsettled: Etch[]; unanchored: string[] }> {
  const unsettled: Etch[] = [];
  const unanchored: string[] = [];
  const { author } = await client.findEtch(account.sample);
  if (author.user_id !== userId) return { same: false, unsettled, unanchored };
  account.username = author.username;
  const notices: RecordNotice[] = [];
  const shown: LeafSum = { etches: 0, tombstones: 0, sum: 0n };
  let sound = true;
  const addRebuilt = (kind: 0 | 1, version: number | null, root: string | null, hash: string) => {
    if (version !== 2 || root === null) return;
    const trees = side.trees.withRoot(kind, root);
    if (trees.some((tree) => outcomeOf(outcomes, tree) === 'rebuilt')) sums.add(shown, kind, hash);
  };
  for await (const { etches: page } of client.record(author.username, { limit: PAGE }).pages()) {
    for (const etch of page) {
      const { hash, chain, status } = etch;
      const fault = etchFault(etch, userId, side.trees, folding);
      if (fault?.what === 'not attested') unsettled.push(etch);
      else sound &&= fault === null;
      if (chain.attestation_uid === null) unanchored.push(hash);
      const notice = etchNotice(etch, side.trees);
      if (notice !== null) notices.push(notice);
      addRebuilt(0, chain.tree_version, chain.root, hash);
      if (status === 'retracted') addRebuilt(1, chain.revocation_tree_version, chain.revocation_root, hash);
    }
  }
  const same =
    sound &&
    shown.etches === account.etches &&
    shown.tombstones === account.tombstones &&
    shown.sum === account.sum;
  if (notices.length > 0) account.notices = notices;
  else delete account.notices;
  return { same, unsettled, unanchored };
}

/** Version 1 names no author, so these trees are searched for pending etches. */
async function findUnnamed(
  job: AuditJob,
  { outcomes, accounts }: AuditState,
  pending: Pending,
): Promise<void> {
  if (pending.size === 0) return;
  const trees = [...outcomes.values()]
    .filter(({ tree, outcome }) => tree.treeVersion === 1 && tree.kind === 0 && outcome.state === 'rebuilt')
    .map(({ tree }) => tree);
  await fetchTrees(job, trees, ({ leaves }) => {
    for (const [userId, hashes] of pending)
      if (leaves !== null && hashes.some((hash) => leaves.has(hash)))
        accounts.get(userId)!.verdict = 'differs';
  });
}

async function settleLater(job: AuditJob, { side, accounts }: AuditState, later: Later): Promise<void> {
  if (later.size === 0) return;
  const now = { ...side, trees: side.trees.copy() };
  await readOn(now, job.reader, job.trust, await job.reader.head(), () => undefined);
  for (const [userId, etches] of later) {
    const isAttested = etches.every((etch) => etchFault(etch, userId, now.trees) === null);
    accounts.get(userId)!.verdict = isAttested ? 'same' : 'differs';
  }
}
