import { askRange, blockAt, blockRange } from '../../chain/block-range.ts';
import type { Chain, Hex } from '../../chain/port.ts';
import { adopt } from '../sequence.ts';
import { oldestWork, placeBefore, unknownAttempts } from '../ledger/adoption.ts';
import { nextLedgerNonce } from '../ledger/staging.ts';
import type { Range } from '../memory.ts';
import type { Sight, Work } from '../work.ts';

const range = (at: number, to: number): Range => ({ ...blockRange(at, to), hashes: new Set() });

/** Reads in one tick, so that open transactions do not wait. */
const QUESTIONS = 50;
/**
 * Searches the logs for attestations that a restored database lacks and adopts them, so that no etch is attested
 * twice.
 * @returns `done` if the ledger is complete for this count, `adopted` if it grew, `waits` if the search is not
 * finished
 */
export async function lookBack(work: Work, sight: Sight): Promise<'done' | 'adopted' | 'waits'> {
  const { looking } = work;
  if (looking.done === (await counts(work, sight))) return 'done';
  if (looking.search?.counted !== sight.minedNonce) {
    const from = await firstBlock(work, sight);
    const { minedNonce: counted, head } = sight;
    looking.search = { counted, ...range(from ?? head.number + 1, head.number) };
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
  const found = await adoptAll(work, sight, [...search.hashes]);
  if (found === 'waits') return 'waits';
  delete looking.search;
  looking.done = await counts(work, sight);
  return found;
}

async function counts({ chain, db }: Work, sight: Sight): Promise<string> {
  return `${sight.minedNonce} ${await nextLedgerNonce(db, chain.relayer)}`;
}

function goOn(chain: Chain, search: Range): Promise<boolean> {
  return askRange(search, QUESTIONS, async (from, to) => {
    for (const hash of await chain.attestedIn(from, to)) search.hashes.add(hash);
  });
}

export async function attestedSince(chain: Chain, block: number): Promise<Hex[]> {
  const search = range(block, (await chain.head()).number);
  while (!(await goOn(chain, search)));
  return [...search.hashes];
}

/** In nonce order: each adoption needs the queue as the previous one left it. */
async function adoptAll(
  work: Work,
  sight: Sight,
  hashes: readonly Hex[],
): Promise<'done' | 'adopted' | 'waits'> {
  const found = [];
  for (const hash of await unknownAttempts(work.db, hashes)) {
    const own = await work.chain.ownTransaction(hash);
    if (!own || own.blockNumber > sight.final.number) return 'waits';
    if ((await work.chain.isAgreed({ number: own.blockNumber, hash: own.blockHash })) !== true)
      return 'waits';
    found.push(own);
  }
  found.sort((a, b) => a.nonce - b.nonce);
  for (const own of found) await adopt(work, own);
  return found.length > 0 ? 'adopted' : 'done';
}

/**
 * Starts at the last known transaction before the gap. Without one, it starts at the first block as old as the
 * oldest queued etch or account. Returns null for an empty database.
 */
async function firstBlock({ chain, db }: Work, sight: Sight): Promise<number | null> {
  const known = await placeBefore(db, chain.relayer);
  if (known !== null && known <= sight.head.number) return known;
  const oldest = await oldestWork(db, chain.relayer);
  return oldest === null ? null : blockAt(chain, sight.head.number, Math.floor(oldest / 1000));
}
