import { NodeError } from '../../chain/json-rpc.ts';
import { type Chain, ChainUnavailable, type Hex } from '../../chain/port.ts';
import { adopt } from '../sequence.ts';
import { oldestWork, placeBefore, unknownAttempts } from '../ledger/forgotten.ts';
import { nextLedgerNonce } from '../ledger/sealing.ts';
import type { Range } from '../memory.ts';
import type { Sight, Work } from '../work.ts';

const range = (at: number, to: number): Range => ({
  at,
  to,
  size: BLOCKS_AT_ONCE,
  most: BLOCKS_AT_ONCE,
  hashes: new Set(),
});

const BLOCKS_AT_ONCE = 10_000;
/** Questions in one tick: what else is open must not wait for a long search. */
const QUESTIONS = 50;
/**
 * Looks for attestations by our key that the ledger does not know: the database may be older than the chain, after a
 * restore or a failover that lost its last seconds. What is found is adopted, so that nothing is attested twice that
 * can be told to be attested already. Called where the chain counts more of our transactions than the ledger explains.
 * @returns `done` when the ledger knows all there is for this count, `adopted` when it has just learned something,
 *   `waits` while the search goes on or cannot be done now
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
  // Nodes show logs later than they count transactions; once these blocks are final, those logs are there.
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

/** A bounded number of questions; true when all were asked. @throws ChainUnavailable */
async function goOn(chain: Chain, search: Range): Promise<boolean> {
  for (let question = 0; question < QUESTIONS && search.at <= search.to; question++) {
    const end = Math.min(search.to, search.at + search.size - 1);
    try {
      for (const hash of await chain.attestedIn(search.at, end)) search.hashes.add(hash);
      search.at = end + 1;
      search.size = Math.min(search.most, search.size * 2);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      if (search.size === 1) {
        search.size = search.most = BLOCKS_AT_ONCE;
        throw new ChainUnavailable(`the node refuses to show logs: ${error.message}`);
      }
      search.most = Math.max(1, Math.min(search.most, end - search.at));
      search.size = Math.max(1, Math.floor(Math.min(search.size, end - search.at + 1) / 2));
    }
  }
  return search.at > search.to;
}

/** All transactions in which our relayer attested from a block on. @throws ChainUnavailable */
export async function attestedSince(chain: Chain, block: number): Promise<Hex[]> {
  const search = range(block, (await chain.head()).number);
  while (!(await goOn(chain, search)));
  return [...search.hashes];
}

/** In the order of their nonces, so that each finds the queue as it was left by the one before. */
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
 * The first block that may hold what the ledger misses: the last one known before it, for nonces rise with the blocks.
 * Where none is known, the time of the oldest thing that waits: no tree is sent before the chain has reached it. null: nothing waits that could have been attested.
 */
async function firstBlock({ chain, db }: Work, sight: Sight): Promise<number | null> {
  const known = await placeBefore(db, chain.relayer);
  if (known !== null && known <= sight.head.number) return known;
  const oldest = await oldestWork(db, chain.relayer);
  return oldest === null ? null : blockAt(chain, sight.head.number, Math.floor(oldest / 1000));
}

/** The first block of this time (seconds since 1970) or later; the one after the head when there is none. @throws ChainUnavailable */
async function blockAt(chain: Chain, head: number, time: number): Promise<number> {
  let [low, high] = [0, head + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await chain.blockByNumber(middle);
    if (!block) throw new ChainUnavailable(`the node does not show its block ${middle}`);
    if (block.timestamp >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}
