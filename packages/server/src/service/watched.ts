import { anchoringStatus, createSpend } from '../anchoring/index.ts';
import { createFeeReader } from '../chain/fees.ts';
import type { DatabaseClock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { createTaskTimes, type TaskTimes } from '../platform/scheduler/scheduler.ts';
import type { Config } from '../settings/config.ts';
import type { ChainInUse } from './start/chain.ts';
import { createReadiness } from './start/readiness.ts';
import { redisReadiness } from './start/redis.ts';
import type { Siblings } from './start/siblings.ts';
import { createMetrics, type Metrics } from '../vitals/metrics.ts';
import { logOrigin } from '../proofs/log/tree-log.ts';
import { witnessHealth } from '../proofs/log/checkpoints.ts';
import { checkParts, type ReadinessPart } from '../vitals/readiness.ts';
import { createVitals, type ReadVitals } from '../vitals/vitals.ts';
import type { Connections } from './connections.ts';

export interface Watched {
  readiness: readonly ReadinessPart[];
  vitals: ReadVitals;
  metrics: Metrics;
  taskTimes: TaskTimes;
}

export function watch({
  config,
  baseUrl,
  db,
  clock,
  chain,
  connections,
  siblings,
}: {
  config: Config;
  baseUrl: string;
  db: Db;
  clock: DatabaseClock;
  chain: ChainInUse;
  connections: Connections;
  siblings: Siblings | undefined;
}): Watched {
  const { standby, redis, pools } = connections;
  const readiness = [
    ...createReadiness({ db, clock, chain, standby }),
    ...(redis ? [redisReadiness(redis)] : []),
  ];
  const vitals = createVitals({
    db,
    relayer: chain.chain.relayer,
    parts: async () =>
      (await checkParts(readiness)).map(({ name, problem }) => ({ name, ok: problem === undefined })),
    anchoring: () => anchoringStatus(db),
    confirmations: config.chain.confirmations,
    head: async () => (await chain.chain.head()).number,
    balance: () => chain.chain.balance(),
    witnesses: () =>
      witnessHealth(db, {
        origin: logOrigin(baseUrl),
        policy: config.witnessPolicy,
        now: clock.now(),
      }),
    spend: createSpend({ db, now: () => clock.now(), feesOf: createFeeReader(chain.client.anchoring) }),
  });
  const taskTimes = createTaskTimes();
  const metrics = createMetrics({
    config,
    vitals,
    tasks: taskTimes,
    clock,
    pools,
    ...(standby && { standby: () => standby.status() }),
    ...(siblings && { others: siblings.figures }),
  });
  siblings?.tellFigures(metrics.own);
  return { readiness, vitals, metrics, taskTimes };
}
