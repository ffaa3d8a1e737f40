// One round of anchoring: reopens lost transactions, advances open ones, then folds and sends new jobs.
import { ChainUnavailable, type Hex } from '../chain/port.ts';
import { advance } from './steps/advance.ts';
import { AnotherChain, ensureSameChain, markState, rememberedChainId } from './ledger/chain-binding.ts';
import { LeaseLost, takeLease } from './ledger/lease.ts';
import { hasTombstoneOfAnother, isAnythingQueued } from './ledger/queue.ts';
import type { Memory, ChainSnapshot, Work } from './work.ts';
import { findLosses } from './recovery/losses.ts';
import { believedNonce, closeGap } from './recovery/look-back.ts';
import { foldBatch } from './sequence.ts';
import { countUnmined, openTransactions } from './ledger/transactions.ts';
import type { Problem } from './problems.ts';

export interface Tick {
  leader: boolean;
  reached: boolean;
  open: number;
  progressed: boolean;
  reopened: number;
  more: boolean;
  /** too many transactions are unmined, or the chain's transaction count is in doubt */
  held: boolean;
}

export interface TickOptions {
  fold: boolean;
  devnet: boolean;
  stopping?: () => boolean;
}

const AT_ONCE = 64;
const IDLE: Omit<Tick, 'leader' | 'reached'> = {
  open: 0,
  progressed: false,
  reopened: 0,
  more: false,
  held: false,
};

/**
 * Reopens lost transactions, advances open ones, then folds and sends new jobs. The same code recovers after a
 * crash.
 * @throws DatabaseUnavailable
 */
export async function tick(work: Work, memory: Memory, options: TickOptions): Promise<Tick> {
  const { db, holder, problems, rules, suspicions } = work;
  if (!(await takeLease(db, holder, rules.leaseSeconds))) {
    memory.watch = { newlyFinal: [] };
    return { ...IDLE, leader: false, reached: true };
  }
  const renewal = setInterval(
    () => void takeLease(db, holder, rules.leaseSeconds).catch(() => false),
    (rules.leaseSeconds * 1000) / 3,
  );
  renewal.unref();
  problems.startTick();
  suspicions.startTick();
  let result: Tick = { ...IDLE, leader: true, reached: false };
  try {
    result = await lookAndAct(work, memory, options);
  } catch (error) {
    if (error instanceof LeaseLost) return { ...IDLE, leader: false, reached: true };
    if (!(error instanceof ChainUnavailable) && !(error instanceof AnotherChain)) throw error;
    problems.reportFault(error);
  } finally {
    clearInterval(renewal);
  }
  await markState(db, problems.state);
  return result;
}

async function lookAndAct(work: Work, memory: Memory, options: TickOptions): Promise<Tick> {
  await checkIdentity(work, memory, options.devnet);
  const snapshot = await readChainSnapshot(work);
  const losses = await findLosses(work, snapshot, memory.watch);
  let moved = false;
  let waiting: readonly { notBefore: number }[] = [];
  const stopping = options.stopping ?? (() => false);
  const step = async (): Promise<number> => {
    const open = await openTransactions(work.db, AT_ONCE);
    waiting = [];
    let left = open.length;
    for (const tx of open) {
      if (stopping()) return left;
      const step = await advance(work, snapshot, tx);
      if (step.moved) moved = true;
      if (step.end !== 'open') left--;
      else waiting = [...waiting, tx];
      if (step.end === 'final') memory.watch.newlyFinal.push(step.block);
    }
    if (await closeGap(work, snapshot, open)) moved = true;
    return left;
  };
  let open = await step();
  let folding: Folding = { staged: 0, more: false, held: false };
  const queued = await isAnythingQueued(work.db);
  if (queued && (await hasTombstoneOfAnother(work.db, work.chain.relayer))) work.problems.report(ANOTHER_KEY);
  const mined = await believedNonce(work, snapshot, memory);
  if (options.fold && queued) {
    folding = await foldWaiting(work, mined, stopping);
    if (folding.staged > 0) open = await step();
  }
  const stands = memory.head?.hash === snapshot.head.hash;
  const problem = watchHead(memory, snapshot, waiting, performance.now());
  if (problem) work.problems.report(problem.text, problem.fields);
  await mineIfIdle(work, memory, stands, open > 0 && !moved);
  const { opened: reopened, unknown } = losses;
  const { staged, more, held } = folding;
  const progressed = moved || staged > 0;
  return { leader: true, reached: true, open: open + unknown, progressed, reopened, more, held };
}

const FOLDS_A_LOOK = 4;

interface Folding extends Pick<Tick, 'more' | 'held'> {
  staged: number;
}

async function foldWaiting(work: Work, mined: number | null, stopping: () => boolean): Promise<Folding> {
  const capacity = work.rules.maxUnmined - (await countUnmined(work.db, work.chain.relayer));
  if (mined === null || capacity <= 0) return { staged: 0, more: false, held: true };
  let [all, more] = [0, true];
  for (let left = FOLDS_A_LOOK; left > 0 && more && all < capacity && !stopping(); left--) {
    const done = await foldBatch(work, mined);
    all += done.staged;
    more = done.more;
  }
  return { staged: all, more, held: false };
}

const ANOTHER_KEY =
  'RELAYER_PRIVATE_KEY: retractions wait for the key that attested their commitments: run with that key until they are anchored';

async function readChainSnapshot({ chain }: Work): Promise<ChainSnapshot> {
  const minedNonce = await chain.minedNonce();
  const final = await chain.finalBlock();
  const head = await chain.head();
  if (final.number > head.number) throw new ChainUnavailable('the final block is above the head');
  return { head, final, minedNonce, relayer: chain.relayer.toLowerCase() as Hex };
}

async function checkIdentity(work: Work, memory: Memory, devnet: boolean): Promise<void> {
  const { chainId, genesisHash } = await work.chain.identity();
  // The database may have moved to a different chain while this process was paused.
  const identity = `${chainId} ${genesisHash} ${await rememberedChainId(work.db)}`;
  if (memory.identity === identity) return;
  const found = await ensureSameChain(work.db, work.chain, { devnet });
  if (found === 'reset') {
    memory.watch = { newlyFinal: [] };
    work.log.warn(
      { chain_id: chainId },
      'anchoring: the devnet started again from block 0; everything is sent to it again',
    );
  }
  memory.identity = identity;
}

/** Mine at most 60 empty blocks in a row, then one every 60 ticks, so that an idle devnet does not grow. */
const NUDGES = 60;

async function mineIfIdle({ chain }: Work, memory: Memory, stands: boolean, waiting: boolean): Promise<void> {
  memory.stuckTicks = waiting ? memory.stuckTicks + 1 : 0;
  if (!waiting || (memory.stuckTicks > NUDGES && memory.stuckTicks % NUDGES !== 0)) return;
  if (stands || memory.stuckTicks > 1) await chain.mineEmptyBlock?.();
}

/** No working chain takes longer for a block. */
const STANDS_AFTER_MS = 600_000;
const LAGS_AFTER_MS = 120_000;

/**
 * A chain head may stop or be older than the waiting transactions although no read fails.
 * @param waiting `notBefore` is the earliest time to send, by the database's clock
 * @param now from `performance.now()`
 */
export function watchHead(
  memory: Pick<Memory, 'head'>,
  { head }: Pick<ChainSnapshot, 'head'>,
  waiting: readonly { notBefore: number }[],
  now: number,
): Problem | undefined {
  const before = memory.head;
  const newest = Math.max(...waiting.map(({ notBefore }) => notBefore));
  const headTime = head.timestamp * 1000;
  const isBehind = waiting.length > 0 && headTime < newest;
  // Some chains make blocks only on demand.
  const stood = before !== undefined && before.hash === head.hash && waiting.length > 0;
  const since = stood ? before.since : now;
  const behindSince = isBehind ? (before?.behindSince ?? now) : undefined;
  memory.head = { hash: head.hash, since, ...(behindSince !== undefined && { behindSince }) };
  const fields = { head: head.number, head_time: new Date(headTime).toISOString() };
  if (now - since > STANDS_AFTER_MS)
    return {
      text: 'CHAIN_RPC_URL: the chain has had no new block for ten minutes, and transactions wait for one: check the endpoint',
      fields,
    };
  if (behindSince !== undefined && now - behindSince > LAGS_AFTER_MS)
    return {
      text: 'CHAIN_RPC_URL: the newest block is older than the etches to be sent: the endpoint lags behind, or the clock of the database is ahead',
      fields: { ...fields, waits_for: new Date(newest).toISOString() },
    };
  return undefined;
}
