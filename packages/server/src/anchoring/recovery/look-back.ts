import { askRange, blockAt, blockRange } from '../../chain/block-range.ts';
import type { Chain, Hex } from '../../chain/port.ts';
import { adopt } from '../sequence.ts';
import { oldestWork, placeBefore, unknownAttempts } from '../ledger/adoption.ts';
import { listRelayers, markSearched, searchedCounts } from '../ledger/chain-binding.ts';
import { nextLedgerNonce } from '../ledger/staging.ts';
import type { Counted, Range, Sight, Work } from '../work.ts';

const range = (at: number, to: number): Range => ({ ...blockRange(at, to), hashes: new Set() });

/** Reads in one tick, so that open transactions do not wait. */
const QUESTIONS = 50;
/**
 * Adopts attestations that a restored database lacks, so that no etch is attested twice.
 * @returns `done` if the ledger is complete for this count, `adopted` if it grew, `waits` if the search is not
 * finished
 */
export async function lookBack(work: Work, sight: Sight): Promise<'done' | 'adopted' | 'waits'> {
  const { looking } = work;
  if (looking.done === (await counts(work, sight)) && !(await isFormerBehind(work))) return 'done';
  if (looking.search?.counted !== sight.minedNonce) {
    const { minedNonce: counted, head } = sight;
    const senders = await sendersBehind(work, sight);
    const from = await firstBlock(work, sight, senders);
    looking.search = { counted, senders, ...range(from ?? head.number + 1, head.number) };
  }
  const { search } = looking;
  // Nodes show logs late; the logs of final blocks are complete.
  if (sight.final.number < search.to || !(await goOn(work.chain, search))) {
    work.problems.report(
      'CHAIN_RPC_URL: the chain is searched for attestations that the database does not know',
      {
        block: search.at,
        of: search.to,
      },
    );
    return 'waits';
  }
  const found = await adoptAll(work, sight, search);
  if (found === 'waits') return 'waits';
  await markSearched(work.db, looking.former ?? []);
  looking.former = [];
  delete looking.search;
  looking.done = await counts(work, sight);
  return found;
}

const counts = async ({ chain, db }: Work, sight: Sight): Promise<string> =>
  `${sight.minedNonce} ${await nextLedgerNonce(db, chain.relayer)}`;

function goOn(chain: Chain, search: Range & { senders: readonly Hex[] }): Promise<boolean> {
  return askRange(search, QUESTIONS, async (from, to) => {
    for (const hash of await chain.attestedIn(from, to, search.senders)) search.hashes.add(hash);
  });
}

/** True if an earlier key has transactions that neither the ledger nor a search found. Reads the counts once. */
export async function isFormerBehind(work: Work): Promise<boolean> {
  work.looking.former ??= await formerBehind(work);
  return work.looking.former.length > 0;
}

async function formerBehind({ chain, db }: Work): Promise<Counted[]> {
  const searched = await searchedCounts(db);
  const behind: Counted[] = [];
  for (const sender of await listRelayers(db)) {
    if (sender === chain.relayer) continue;
    const [count, next] = [await chain.minedNonce(sender), await nextLedgerNonce(db, sender)];
    if (count > Math.max(searched[sender] ?? 0, next ?? 0)) behind.push({ sender, count });
  }
  return behind;
}

async function sendersBehind(work: Work, { minedNonce }: Sight): Promise<Hex[]> {
  const { chain, db, looking } = work;
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
  sight: Sight,
  { hashes, senders }: { hashes: ReadonlySet<Hex>; senders: readonly Hex[] },
): Promise<'done' | 'adopted' | 'waits'> {
  const found = [];
  for (const hash of await unknownAttempts(work.db, [...hashes])) {
    const own = await work.chain.ownTransaction(hash, senders);
    if (!own || own.blockNumber > sight.final.number) return 'waits';
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
async function firstBlock({ chain, db }: Work, sight: Sight, senders: readonly Hex[]) {
  const known = await Promise.all(senders.map((sender) => placeBefore(db, sender)));
  const first = Math.min(...known.map((block) => block ?? Infinity));
  if (!known.includes(null) && first <= sight.head.number) return first;
  const oldest = await oldestWork(db);
  return oldest === null ? null : blockAt(chain, sight.head.number, oldest);
}
