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
  /** defaults in rules.ts */
  rules?: Partial<Rules>;
  /** the embedded devnet, which may start again from block 0 */
  devnet: boolean;
  /** finds the transaction that spent a nonce; without it, a transaction with a spent nonce waits for an operator */
  nonceHolder?: NonceHolder;
  /** kinds of witnesses to queue for each final transaction (witnesses/); default none */
  witnesses?: readonly string[];
  /** decrypts sealed texts, so that sealed rows are also checked against their hashes */
  partsOf?: PartsOf;
  failpoint?: Failpoint;
  /** called after each tick of `run` */
  ticked?: (tick: Tick) => void;
  /** name of this process in the lease; unique for each process */
  holder?: string;
}

export interface Anchoring {
  /** Advances all open transactions, then folds new jobs unless `fold` is false. @throws DatabaseUnavailable */
  tick(options?: { fold?: boolean }): Promise<Tick>;
  /** Ticks until the signal aborts; resolves at the next step boundary and releases the lease. */
  run(signal: AbortSignal, options: RunOptions): Promise<void>;
  /** `balance` in wei; null if the chain does not answer */
  status(): Promise<AnchoringStatus & { balance: bigint | null }>;
}

/** Anchoring of one process (docs/decisions/0012-stage-sign-store-send.md). */
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
