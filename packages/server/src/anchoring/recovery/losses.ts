// Reopens final transactions whose block left the chain.
import type { Chain } from '../../chain/port.ts';
import { decideFinal, type BlockPresence } from '../decide/decide.ts';
import { type LedgerTx, finalTransactions, finalTransactionsIn } from '../ledger/transactions.ts';
import type { ChainSnapshot, FinalityWatch, Work } from '../work.ts';
import { reopen } from '../sequence.ts';

const WINDOW = 256;
const PAGE = 64;

/**
 * Reopens final transactions whose block left the chain. The nonce admits them only once, so sending again is
 * harmless.
 * @returns how many were reopened, and how many need a further look
 */
export async function findLosses(work: Work, snapshot: ChainSnapshot, watch: FinalityWatch) {
  const { chain } = work;
  const before = watch.newlyFinal;
  const intact =
    watch.seen !== undefined && (await blockPresence(chain, watch.seen.number, watch.seen.hash)) === 'stands';
  const walk: Walk = { opened: 0, unknown: 0, above: new Set() };
  if (intact) await check(work, snapshot, await finalTransactionsIn(work.db, before), walk);
  else await walkBack(work, snapshot, walk);
  // Endpoints differ in which block is final: `seen` stays below it and never goes back.
  watch.newlyFinal = [...watch.newlyFinal.slice(before.length), ...walk.above];
  if (walk.unknown > 0) delete watch.seen;
  else if (!intact || watch.seen!.number < snapshot.final.number) watch.seen = snapshot.final;
  return walk;
}

interface Walk {
  opened: number;
  unknown: number;
  /** blocks that stand above the final one */
  above: Set<number>;
}

async function walkBack(work: Work, snapshot: ChainSnapshot, walk: Walk): Promise<void> {
  for (let before: number | null = null; ;) {
    const page: LedgerTx[] = await finalTransactions(work.db, before, PAGE);
    const last = page.at(-1);
    if (!last) return;
    const rest = await finalTransactionsIn(work.db, [last.blockNumber!]);
    const whole = [...page, ...rest.filter((tx) => !page.some((some) => some.id === tx.id))];
    const lastStands = await check(work, snapshot, whole, walk);
    // Its block proves all blocks below it. Within the window each one is checked.
    if (lastStands && last.blockNumber! < snapshot.head.number - WINDOW) return;
    before = last.blockNumber;
  }
}

/** @returns whether the block of the last one is still on the chain */
async function check(
  work: Work,
  snapshot: ChainSnapshot,
  txs: readonly LedgerTx[],
  walk: Walk,
): Promise<boolean> {
  const blocks = new Map<string, BlockPresence>();
  let lastStands = false;
  for (const tx of txs) {
    const key = `${tx.blockNumber} ${tx.blockHash}`;
    const state = blocks.get(key) ?? (await blockPresence(work.chain, tx.blockNumber!, tx.blockHash!));
    blocks.set(key, state);
    lastStands = state === 'stands';
    if (state === 'stands' && tx.blockNumber! > snapshot.final.number) walk.above.add(tx.blockNumber!);
    if (state === 'stands') continue;
    if (!isLost(work, snapshot, tx, state)) walk.unknown++;
    else if (await reopen(work, tx)) walk.opened++;
  }
  return lastStands;
}

async function blockPresence(chain: Chain, number: number, hash: string): Promise<BlockPresence> {
  const block = await chain.blockByNumber(number);
  if (!block) return 'unknown';
  return block.hash === hash ? 'stands' : 'replaced';
}

function isLost(
  { rules, suspicions }: Work,
  snapshot: ChainSnapshot,
  tx: LedgerTx,
  standing: BlockPresence,
): boolean {
  const first = decideFinal(tx, standing, { snapshot, rules });
  if (first.do !== 'suspect') return first.do === 'reopen';
  const looks = suspicions.looks(first.suspicion);
  return decideFinal(tx, standing, { snapshot, rules, looks }).do === 'reopen';
}
