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
  /** how new etches are committed, the fee cap and the other rules; defaults in rules.ts */
  rules?: Partial<Rules>;
  /** the embedded devnet: may begin anew */
  devnet: boolean;
  /** finds out who spent a nonce; without it such a transaction waits for an operator */
  nonceHolder?: NonceHolder;
  /** kinds of witnesses that what becomes final is to have (witnesses/); without any, none is asked for */
  witnesses?: readonly string[];
  /** opens sealed text, so that sealed rows are checked against their hashes too */
  partsOf?: PartsOf;
  failpoint?: Failpoint;
  /** told after each tick of `run` */
  ticked?: (tick: Tick) => void;
  /** our name in the lease, one for each process */
  holder?: string;
}

export interface Anchoring {
  /** Advances all that is open, then folds what is new (unless told not to). @throws DatabaseUnavailable */
  tick(options?: { fold?: boolean }): Promise<Tick>;
  /** Ticks until the signal; resolves at the next step boundary and gives the lease up. */
  run(signal: AbortSignal, options: RunOptions): Promise<void>;
  /** `balance` in wei; null when the chain cannot be asked. */
  status(): Promise<AnchoringStatus & { balance: bigint | null }>;
}

/** The anchoring of one process: stage, sign, store, send (docs/decisions/0012-stage-sign-store-send.md). */
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
