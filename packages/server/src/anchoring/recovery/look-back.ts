// Searches the chain for attestations that the database lacks, and fills gaps in the nonces.
import { askRange, blockAt, blockRange } from '../../chain/block-range.ts';
import { type Chain, ChainUnavailable, type Hex } from '../../chain/port.ts';
import type { Queryable } from '../../db/db.ts';
import { adopt, fillGap } from '../sequence.ts';
import { oldestWork, placeBefore, unknownAttempts } from '../ledger/adoption.ts';
import { listRelayers, markSearched, searchedCounts } from '../ledger/chain-binding.ts';
import { holdsNonce, nextLedgerNonce } from '../ledger/staging.ts';
import type { LedgerTx } from '../ledger/transactions.ts';
import type { SenderCount, Memory, NonceHolder, SearchedRange, ChainSnapshot, Work } from '../work.ts';

const range = (at: number, to: number): SearchedRange => ({ ...blockRange(at, to), hashes: new Set() });

/** Reads in one tick, so that open transactions do not wait. */
const QUESTIONS = 50;
/**
 * Adopts attestations that a restored database lacks, so that no etch is attested twice.
 * @returns `done` if the ledger is complete for this count, `adopted` if it grew, `waits` if the search is not
 * finished
 */
export async function lookBack(work: Work, snapshot: ChainSnapshot): Promise<'done' | 'adopted' | 'waits'> {
  const { lookBackState: looking } = work;
  if (looking.done === (await counts(work, snapshot)) && !(await isFormerBehind(work))) return 'done';
  if (looking.search?.counted !== snapshot.minedNonce) {
    const { minedNonce: counted, head } = snapshot;
    const senders = await sendersBehind(work, snapshot);
    const from = await firstBlock(work, snapshot, senders);
    looking.search = { counted, senders, ...range(from ?? head.number + 1, head.number) };
  }
  const { search } = looking;
  // Nodes show logs late; the logs of final blocks are complete.
  if (snapshot.final.number < search.to || !(await goOn(work.chain, search))) {
    work.problems.catchUp({ block: search.at, of: search.to });
    return 'waits';
  }
  const found = await adoptAll(work, snapshot, search);
  if (found === 'waits') return 'waits';
  await markSearched(work.db, looking.former ?? []);
  looking.former = [];
  delete looking.search;
  looking.done = await counts(work, snapshot);
  return found;
}

const counts = async ({ chain, db }: Work, snapshot: ChainSnapshot): Promise<string> =>
  `${snapshot.minedNonce} ${await nextLedgerNonce(db, chain.relayer)}`;

function goOn(chain: Chain, search: SearchedRange & { senders: readonly Hex[] }): Promise<boolean> {
  return askRange(search, QUESTIONS, async (from, to) => {
    for (const hash of await chain.attestedIn(from, to, search.senders)) search.hashes.add(hash);
  });
}

/** True if an earlier key has transactions that neither the ledger nor a search found. Reads the counts once. */
async function isFormerBehind(work: Work): Promise<boolean> {
  work.lookBackState.former ??= await formerBehind(work);
  return work.lookBackState.former.length > 0;
}

const formerBehind = async ({ chain, db }: Work): Promise<SenderCount[]> =>
  sendersAhead(
    db,
    chain,
    (await listRelayers(db)).filter((sender) => sender !== chain.relayer),
  );

type Ahead = SenderCount & { known: number };

/** The keys with more transactions on the chain than the ledger or a search knows. */
async function sendersAhead(db: Queryable, chain: Chain, senders: readonly Hex[]): Promise<Ahead[]> {
  const searched = await searchedCounts(db);
  const ahead: Ahead[] = [];
  for (const sender of senders) {
    const [count, next] = [await chain.minedNonce(sender), await nextLedgerNonce(db, sender)];
    const known = Math.max(searched[sender] ?? 0, next ?? 0);
    if (count > known) ahead.push({ sender, count, known });
  }
  return ahead;
}

/** The transactions on the chain that a ledger with at least one lacks, for example after a restore. */
export async function countUnknown(db: Queryable, chain: Chain): Promise<number> {
  const ahead = await sendersAhead(db, chain, await listRelayers(db));
  return ahead.reduce((sum, { count, known }) => sum + count - known, 0);
}

async function sendersBehind(work: Work, { minedNonce }: ChainSnapshot): Promise<Hex[]> {
  const { chain, db, lookBackState: looking } = work;
  looking.former = await formerBehind(work);
  const former = looking.former.map(({ sender }) => sender);
  const isBehind = minedNonce > ((await nextLedgerNonce(db, chain.relayer)) ?? 0);
  return isBehind || former.length === 0 ? [...former, chain.relayer] : former;
}

export async function attestedSince(chain: Chain, block: number): Promise<Hex[]> {
  const search = { senders: [chain.relayer], ...range(block, (await chain.head()).number) };
  while (!(await goOn(chain, search)));
  return [...search.hashes];
}

/** In the order of the chain: each needs the queue and the log as the previous one left them. */
async function adoptAll(
  work: Work,
  snapshot: ChainSnapshot,
  { hashes, senders }: { hashes: ReadonlySet<Hex>; senders: readonly Hex[] },
): Promise<'done' | 'adopted' | 'waits'> {
  const found = [];
  for (const hash of await unknownAttempts(work.db, [...hashes])) {
    const own = await work.chain.ownTransaction(hash, senders);
    if (!own || own.blockNumber > snapshot.final.number) return 'waits';
    if ((await work.chain.isAgreed({ number: own.blockNumber, hash: own.blockHash })) !== true)
      return 'waits';
    found.push(own);
  }
  found.sort((a, b) => a.blockNumber - b.blockNumber || a.nonce - b.nonce);
  for (const own of found) await adopt(work, own);
  return found.length > 0 ? 'adopted' : 'done';
}

/**
 * Starts at the last known transaction before the gap, else at the first block as old as the oldest account. Null
 * for an empty database.
 */
async function firstBlock({ chain, db }: Work, snapshot: ChainSnapshot, senders: readonly Hex[]) {
  const known = await Promise.all(senders.map((sender) => placeBefore(db, sender)));
  const first = Math.min(...known.map((block) => block ?? Infinity));
  if (!known.includes(null) && first <= snapshot.head.number) return first;
  const oldest = await oldestWork(db);
  return oldest === null ? null : blockAt(chain, snapshot.head.number, oldest);
}

/**
 * Fills a nonce gap left by another user of the key or by a chain that started again. Later transactions would
 * wait forever.
 * @returns true if a gap was filled
 */
export async function closeGap(
  work: Work,
  snapshot: ChainSnapshot,
  waiting: readonly LedgerTx[],
): Promise<boolean> {
  const lowest = waiting.find((tx) => tx.state !== 'HALTED' && tx.state !== 'MINED')?.nonce;
  if (lowest === undefined || lowest <= snapshot.minedNonce) return false;
  const { db, chain, rules, suspicions } = work;
  if (await holdsNonce(db, chain.relayer, snapshot.minedNonce)) return false;
  if (suspicions.looks({ kind: 'gap', nonce: snapshot.minedNonce }) < rules.looks) return false;
  await fillGap(work, snapshot.minedNonce, Math.min(lowest, snapshot.minedNonce + rules.sendWindow));
  return true;
}

/**
 * A wrong count leaves a gap that costs gas. A count far above the ledger therefore needs proof: the transaction
 * before it, or the same count for `farCountSeconds`.
 * @returns null if nothing can be folded now
 */
export async function believedNonce(
  work: Work,
  snapshot: ChainSnapshot,
  memory: Memory,
): Promise<number | null> {
  const { chain, db, problems, rules } = work;
  const counted = snapshot.minedNonce;
  // The difference may be transactions that the database forgot.
  const isBehind =
    counted > ((await nextLedgerNonce(db, chain.relayer)) ?? 0) || (await isFormerBehind(work));
  if (isBehind && (await lookBack(work, snapshot)) === 'waits') return null;
  const ledger = await nextLedgerNonce(db, chain.relayer);
  if (ledger === null || counted <= ledger + rules.sendWindow) {
    delete memory.farCount;
    return counted;
  }
  const now = performance.now();
  if (memory.farCount?.nonce !== counted) memory.farCount = { nonce: counted, since: now };
  if (now - memory.farCount.since >= rules.farCountSeconds * 1000) return counted;
  if (await holderOf(work, counted - 1)) return counted;
  problems.report('CHAIN_RPC_URL: the node counts transactions of the relayer key that it does not show', {
    ledger,
    counted,
  });
  return null;
}

export async function holderOf(work: Work, nonce: number): ReturnType<NonceHolder> {
  try {
    return (await work.nonceHolder?.(nonce)) ?? null;
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  }
}
