// The loop that folds queued hashes into trees and attests them. One process of all leads, by a lease.
import { randomUUID } from 'node:crypto';
import { noFailpoint } from './failpoints.ts';
import { giveUpLease, takeLease } from './ledger/lease.ts';
import { anchoringStatus } from './ledger/status.ts';
import { newMemory, type Work } from './work.ts';
import { Problems, Suspicions } from './problems.ts';
import { DEFAULT_RULES, type Rules } from './rules.ts';
import { tick, type Tick } from './tick.ts';
import { markState } from './ledger/chain-binding.ts';
import { isAnythingQueued } from './ledger/queue.ts';

type RequiredWork = Pick<Work, 'db' | 'chain' | 'log'>;
type OptionalWork = Pick<Work, 'failpoint' | 'holder' | 'witnesses' | 'nonceHolder' | 'decryptHidden'>;
export interface AnchoringOptions extends RequiredWork, Partial<OptionalWork> {
  rules?: Partial<Rules>;
  devnet: boolean;
  ticked?: (tick: Tick) => void;
}

export function createAnchoring(options: AnchoringOptions) {
  const { db, chain, log, devnet } = options;
  const work: Work = {
    failpoint: noFailpoint,
    holder: randomUUID(),
    witnesses: [],
    ...options,
    rules: { ...DEFAULT_RULES, ...options.rules },
    problems: new Problems(log),
    suspicions: new Suspicions(),
    lookBackState: {},
  };
  const memory = newMemory();
  return {
    /** Advances open transactions, then folds new jobs. @throws DatabaseUnavailable */
    tick: ({ fold = true }: { fold?: boolean } = {}) => tick(work, memory, { fold, devnet }),
    run: async (signal: AbortSignal, times: RunOptions) => {
      const stopping = () => signal.aborted;
      await run(work, times, signal, async (fold) => {
        const done = await tick(work, memory, { fold, devnet, stopping });
        options.ticked?.(done);
        return done;
      });
      await giveUpLease(db, work.holder).catch(() => undefined);
    },
    status: async () => ({
      ...(await anchoringStatus(db)),
      balance: await chain.balance().catch(() => null),
    }),
  };
}

export type Anchoring = ReturnType<typeof createAnchoring>;

interface RunOptions {
  intervalSeconds: number;
  pollSeconds?: number;
  rest: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const LONGEST_BACKOFF_SECONDS = 8;
const IDLE_LOOK_SECONDS = 30;

/**
 * Ticks at the interval if a job is queued, more often while a transaction is open, less often during a failure,
 * and every 30 s when idle. Without the lease, tries to take it every two seconds.
 */
async function run(
  work: Work,
  { intervalSeconds, pollSeconds = 1, rest }: RunOptions,
  signal: AbortSignal,
  once: (fold: boolean) => Promise<Tick>,
): Promise<void> {
  let foldAt = 0;
  let lookAt = 0;
  let backlog = false;
  let failures = 0;
  let last: Tick | undefined;
  while (!signal.aborted) {
    const now = performance.now();
    const busy = last === undefined || last.open > 0 || last.progressed || backlog || failures > 0;
    try {
      const due = now >= foldAt;
      if (busy || now >= lookAt || (due && (await isAnythingQueued(work.db)))) {
        const fold = due || backlog;
        last = await once(fold);
        failures = last.reached ? 0 : failures + 1;
        if (fold && last.reached && !last.held) {
          foldAt = now + intervalSeconds * 1000;
          backlog = last.more;
        }
        lookAt = now + IDLE_LOOK_SECONDS * 1000;
      } else {
        if (due) foldAt = now + intervalSeconds * 1000;
        if (!(await takeLease(work.db, work.holder, work.rules.leaseSeconds))) last = undefined;
      }
    } catch (error) {
      failures++;
      const reason = error instanceof Error ? error.message : 'unknown';
      work.log.error({ reason }, 'anchoring: a tick failed');
      const failure = 'a tick failed, see the log';
      await markState(work.db, { failure, catchingUp: false }).catch(() => undefined);
    }
    await rest(pauseAfter(last, failures), signal);
  }

  function pauseAfter(done: Tick | undefined, failed: number): number {
    if (failed > 0) return Math.min(LONGEST_BACKOFF_SECONDS, 2 ** (failed - 1)) * 1000;
    if (done?.leader === false) return 2000;
    if (done?.progressed || done?.more) return 20;
    if ((done?.open ?? 0) > 0 || done?.held) return pollSeconds * 1000;
    const untilFold = Math.max(20, foldAt - performance.now());
    return Math.min(untilFold, (work.rules.leaseSeconds * 1000) / 3);
  }
}
