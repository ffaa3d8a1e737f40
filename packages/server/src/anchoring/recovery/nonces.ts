import { ChainUnavailable, type OwnTransaction } from '../../chain/port.ts';
import { adopt } from './adopt.ts';
import { nextLedgerNonce, holdsNonce, insertSealed } from '../ledger/sealing.ts';
import { fence } from '../ledger/lease.ts';
import { lookBack } from './look-back.ts';
import { requeue } from './requeue.ts';
import { markHalted } from '../ledger/moves.ts';
import type { Attempt, LedgerTx } from '../ledger/transactions.ts';
import type { Count } from '../memory.ts';
import type { NonceHolder, Sight, Work } from '../work.ts';

/**
 * A transaction whose nonce the chain counts as spent, while no block shows any of its signed forms. Usually the node
 * lags. Or the database is older than the chain, and what spent it is a form of ours that was forgotten: that one is
 * looked for first, and adopted. Else only the sight of somebody else's transaction at that nonce, in a final block, is
 * evidence.
 */
export async function spentNonce(
  work: Work,
  sight: Sight,
  tx: LedgerTx,
  attempts: readonly Attempt[],
): Promise<'waits' | 'sent' | 'lost'> {
  const looks = work.problems.suspect(`spent ${tx.id}`);
  if (looks < work.rules.looks) return 'waits';
  const looked = await lookBack(work, sight);
  if (looked !== 'done') return looked === 'adopted' ? 'sent' : 'waits';
  const holder = await holderOf(work, tx.nonce);
  const note = 'its nonce was spent by another transaction';
  const lose = async () =>
    requeued(await requeue(work, tx, { note, unsigned: attempts.length === 0, anchored: [] }));
  if (holder && !attempts.some((attempt) => attempt.hash === holder.hash)) {
    if (holder.blockNumber > sight.final.number) return 'waits';
    const { blockNumber: number, blockHash: hash } = holder;
    if ((await work.chain.isAgreed({ number, hash })) !== true) return 'waits';
    if (isOurWork(work, tx, holder)) {
      await adopt(work, holder);
      return 'sent';
    }
    work.problems.report('another transaction of the relayer key took a nonce', {
      nonce: tx.nonce,
      tx_hash: holder.hash,
    });
    return lose();
  }
  // No byte of it can be on the chain, or none that matters.
  if (attempts.length === 0 || tx.action === 'fill') return lose();
  work.problems.report('a nonce is spent, but the node does not show the transaction', { nonce: tx.nonce });
  if (tx.state !== 'HALTED') await markHalted(work.db, tx.id, 'its nonce is spent, its receipt is not found');
  return 'waits';
}

const requeued = (outcome: 'lost' | 'mined') => (outcome === 'lost' ? 'lost' : 'waits');

/** The same payload, or other attestations under our schema: signed by a time that this database has lost. */
function isOurWork({ chain }: Work, tx: LedgerTx, holder: OwnTransaction): boolean {
  if (holder.to !== chain.contract) return false;
  return holder.calldata === tx.calldata || (chain.decodeAttest(holder.calldata) ?? []).length > 0;
}

/**
 * A nonce below all that waits, which nothing of ours will ever spend: left by another user of the key, or by a chain
 * that began anew. A transaction that does nothing fills it, or all later ones wait for ever.
 */
export async function fillGap(work: Work, sight: Sight, waiting: readonly LedgerTx[]): Promise<boolean> {
  const lowest = waiting.find((tx) => tx.state !== 'HALTED' && tx.state !== 'MINED')?.nonce;
  if (lowest === undefined || lowest <= sight.minedNonce) return false;
  const { db, chain, rules } = work;
  if (await holdsNonce(db, chain.relayer, sight.minedNonce)) return false;
  if (work.problems.suspect(`gap ${sight.minedNonce}`) < rules.looks) return false;
  await db.tx(async (tx) => {
    await fence(tx, work.holder);
    const next = await nextLedgerNonce(tx, chain.relayer);
    const end = Math.min(lowest, next ?? lowest, sight.minedNonce + rules.sendWindow);
    for (let nonce = sight.minedNonce; nonce < end; nonce++) {
      if (await holdsNonce(tx, chain.relayer, nonce)) continue;
      const draft = {
        action: 'fill' as const,
        batches: [],
        uids: [],
        notBefore: '1970-01-01T00:00:00.000Z',
        tries: 0,
      };
      await insertSealed(tx, { sender: chain.relayer, nonce, calldata: chain.encodeAttest([]), draft });
    }
  });
  work.log.warn({ from: sight.minedNonce, to: lowest - 1 }, 'anchoring: filling a gap of nonces');
  return true;
}

/**
 * How many transactions of the relayer key the chain is believed to hold. Beyond the ledger they are another user's,
 * or of a time after the backup that the database came from, and sealing goes on after them. A count that is wrong
 * leaves a gap to be filled at our cost: a wide one is believed when the transaction before it is seen. Nodes forget
 * the states by which it is found, so one that stays the same for long is believed too. null: nothing can be sealed now.
 */
export async function believedNonce(
  work: Work,
  sight: Sight,
  memory: { farCount?: Count },
): Promise<number | null> {
  const { chain, db, problems, rules } = work;
  const counted = sight.minedNonce;
  // Fewer in the ledger than in the chain: some may be ours, of a time that the database lost.
  if (
    counted > ((await nextLedgerNonce(db, chain.relayer)) ?? 0) &&
    (await lookBack(work, sight)) === 'waits'
  )
    return null;
  const ledger = await nextLedgerNonce(db, chain.relayer);
  if (ledger === null || counted <= ledger + rules.sendWindow) {
    delete memory.farCount;
    return counted;
  }
  const now = performance.now();
  if (memory.farCount?.nonce !== counted) memory.farCount = { nonce: counted, since: now };
  if (now - memory.farCount.since >= rules.farCountSeconds * 1000) return counted;
  if (await holderOf(work, counted - 1)) return counted;
  problems.report('the node counts transactions of the relayer key that it does not show', {
    ledger,
    counted,
  });
  return null;
}

/** Who holds a nonce; a node that cannot say holds nothing else up. */
async function holderOf(work: Work, nonce: number): ReturnType<NonceHolder> {
  try {
    return (await work.nonceHolder?.(nonce)) ?? null;
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  }
}
