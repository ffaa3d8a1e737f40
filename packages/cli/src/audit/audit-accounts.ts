import { setTimeout as sleep } from 'node:timers/promises';
import { packedWidth } from '@svc/protocol';
import { ApiError, ConnectionError, type Etch } from '@svc/sdk';
import { type AccountLeaves, type AttestedTree, ProofFolder, RecordComparison } from '@svc/verifier';
import { foldTrees, notRebuilt, readOn, resultOf, sha256 } from './job.ts';
import type {
  AccountFinding,
  AccountNotice,
  AuditJob,
  ChainSide,
  FetchedTree,
  Findings,
  LeafList,
  TreeOutcomes,
} from './job.ts';

const PAGE = 100;
/** Records and chain may change during the audit, so a fault is checked again. */
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 2_000;

export interface Account {
  username: string;
  user_id: string;
}

export async function findAccount({ client }: Pick<AuditJob, 'client'>, username: string): Promise<Account> {
  const { user } = await client.record(username, { limit: 1 }).first();
  return { username: user.username, user_id: user.user_id };
}

export async function auditAccounts(
  job: AuditJob,
  accounts: readonly Account[],
  side: ChainSide,
): Promise<Findings> {
  const outcomes: TreeOutcomes = new Map();
  const leaves = accountSide(accounts.map(({ user_id }) => user_id));
  for (let look = 1; ; look++) {
    const head = await job.reader.head();
    await readOn(side, job.reader, job.trust, head, () => job.progress.show('blocks', side.next, head + 1));
    const left = notRebuilt(side.trees.trees.values(), outcomes);
    const words = look === 1 && accounts.length === 1 ? leavesWords(left, accounts[0]!.username) : null;
    if (words !== null) job.note?.(words);
    let done = 0;
    await foldTrees(job, left, outcomes, (fetched) => {
      leaves.take(fetched);
      job.progress.show('trees', ++done, left.length);
    });
    const { found, notices, unread } = await compareAll(job, accounts, side, leaves);
    const findings = { side, outcomes, unnamed: leaves.unnamed(), accounts: found, notices, unread };
    if (look === LOOKS || resultOf(findings) === 'pass') return findings;
    await sleep(BETWEEN_LOOKS_MS);
  }
}

const MEGABYTE = 1_000_000;
const MANY_BYTES = 20 * MEGABYTE;

/** Null for an audit that reads little. */
function leavesWords(
  trees: readonly Pick<AttestedTree, 'treeSize' | 'treeVersion'>[],
  username: string,
): string | null {
  const bytes = trees.reduce(
    (sum, { treeSize, treeVersion }) => sum + (treeVersion === 0 ? 0 : treeSize * packedWidth(treeVersion)),
    0,
  );
  if (bytes <= MANY_BYTES) return null;
  return `this audit reads ${Math.round(bytes / MEGABYTE)} MB of leaves; \`svc audit ${username} --index\` reads only the entries of the account`;
}

async function compareAll(
  { client, progress, watch, records }: AuditJob,
  accounts: readonly Account[],
  side: ChainSide,
  leaves: ReturnType<typeof accountSide>,
): Promise<Pick<Findings, 'unread' | 'notices'> & { found: AccountFinding[] }> {
  const found: AccountFinding[] = [];
  const notices: AccountNotice[] = [];
  const unread: Findings['unread'] = [];
  const folding = { folder: new ProofFolder(sha256), sha256 };
  for (const account of accounts) {
    const { username, user_id } = account;
    const comparison = new RecordComparison(user_id, side.trees, folding);
    const read: Etch[] = [];
    let seen = 0;
    try {
      for await (const page of client.record(username, { limit: PAGE }).pages()) {
        for (const etch of page.etches) {
          comparison.add(etch);
          watch?.(etch);
          if (records !== undefined) read.push(etch);
        }
        progress.show(`record of ${username}`, (seen += page.etches.length), page.counts.total);
      }
      records?.set(username, read);
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) throw error;
      if (!(error instanceof ApiError) || error.status !== 404) {
        unread.push({ account: username, detail: error.message });
        continue;
      }
    }
    const { notices: own, ...compared } = comparison.finish(leaves.of(user_id));
    found.push({ ...account, ...compared });
    notices.push(...own.map((notice) => ({ username, ...notice })));
  }
  return { found, notices, unread };
}

function accountSide(userIds: readonly string[]) {
  const wanted = new Map(
    userIds.map((id) => {
      const [etches, tombstones] = [new Map<string, string>(), new Map<string, string>()];
      return [id, { etches, tombstones, singles: new Set<string>() }];
    }),
  );
  const nameless: LeafList[] = [];
  const unnamed = { has: (hash: string) => nameless.some((leaves) => leaves.has(hash)) };
  return {
    unnamed: () => nameless.reduce((sum, { count }) => sum + count, 0),
    take({ tree, leaves, single }: FetchedTree): void {
      if (single !== null) wanted.get(single.userId)?.singles.add(single.hash);
      if (leaves === null) return;
      if (tree.treeVersion === 1) {
        if (tree.kind === 0) nameless.push(leaves);
        return;
      }
      for (let index = 0; index < leaves.count; index++) {
        const account = wanted.get(leaves.userId(index));
        (tree.kind === 0 ? account?.etches : account?.tombstones)?.set(leaves.hash(index), tree.root);
      }
    },
    of: (userId: string): AccountLeaves => ({ ...wanted.get(userId)!, unnamed }),
  };
}
