import { randomUUID } from 'node:crypto';
import type { Chain } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import { noFailpoint, type Failpoint } from './failpoints.ts';
import { giveUpLease } from './ledger/lease.ts';
import { anchoringStatus, type AnchoringStatus } from './ledger/status.ts';
import { newMemory } from './memory.ts';
import { type Log, Problems } from './problems.ts';
import { DEFAULT_RULES, type Rules } from './rules.ts';
import { run, type RunOptions } from './run.ts';
import { Suspicions } from './suspicions.ts';
import { tick, type Tick } from './tick.ts';
import type { NonceHolder, PartsOf, Work } from './work.ts';

export interface AnchoringOptions {
  db: Db;
  chain: Chain;
  log: Log;
  rules?: Partial<Rules>;
  devnet: boolean;
  nonceHolder?: NonceHolder;
  witnesses?: readonly string[];
  partsOf?: PartsOf;
  failpoint?: Failpoint;
  ticked?: (tick: Tick) => void;
  holder?: string;
}

export interface Anchoring {
  /** Advances open transactions, then folds new jobs. @throws DatabaseUnavailable */
  tick(options?: { fold?: boolean }): Promise<Tick>;
  run(signal: AbortSignal, options: RunOptions): Promise<void>;
  status(): Promise<AnchoringStatus & { balance: bigint | null }>;
}

export function createAnchoring(options: AnchoringOptions): Anchoring {
  const { db, chain, log, devnet } = options;
  const work: Work = {
    db,
    chain,
    log,
    failpoint: options.failpoint ?? noFailpoint,
    rules: { ...DEFAULT_RULES, ...options.rules },
    holder: options.holder ?? randomUUID(),
    problems: new Problems(log),
    suspicions: new Suspicions(),
    looking: {},
    witnesses: options.witnesses ?? [],
    ...(options.nonceHolder ? { nonceHolder: options.nonceHolder } : {}),
    ...(options.partsOf ? { partsOf: options.partsOf } : {}),
  };
  const memory = newMemory();
  return {
    tick: ({ fold = true } = {}) => tick(work, memory, { fold, devnet }),
    run: async (signal, times) => {
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
