// Readiness, metrics and the data of the status page.
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { anchoringStatus, createSpend } from '../anchoring/index.ts';
import { createFeeReader } from '../chain/fees.ts';
import type { DatabaseClock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { createTaskTimes } from '../platform/scheduler/scheduler.ts';
import type { Config } from '../settings/config.ts';
import type { ChainInUse } from './start/chain.ts';
import { type Connections, redisReadiness } from './connections.ts';
import type { Siblings } from './start/siblings.ts';
import { createMetrics } from '../vitals/metrics.ts';
import { witnessHealth } from '../proofs/log/checkpoints.ts';
import { checkParts, type ReadinessPart } from '../vitals/readiness.ts';
import { cached, createVitals } from '../vitals/vitals.ts';
import { isMigrated } from '../db/migrate.ts';
import { type MissingTombstones, readMissingTombstones } from '../vitals/store.ts';
import type { Standby } from '../platform/standby/standby.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { Failpoint } from '../anchoring/failpoints.ts';
import { createTreeLog } from '../proofs/log/tree-log.ts';
import { heldIndex } from '../proofs/account-index/index-store.ts';
import { logHold } from '../proofs/log/hold.ts';
import { createLastSigned } from '../proofs/log/last-signed.ts';

/** The connections that a start opens before it serves. */
export interface StartContext {
  config: Config;
  log: Logger;
  keyring: Keyring;
  db: Db;
  clock: DatabaseClock;
  chain: ChainInUse;
  failpoint: Failpoint | undefined;
  siblings: Siblings | undefined;
}

export function openMonitoring(
  { config, db, keyring, clock, chain, siblings }: StartContext,
  baseUrl: string,
  { standby, redis, pools }: Connections,
) {
  const readiness = [
    ...createReadiness({ db, clock, chain, standby }),
    ...(redis ? [redisReadiness(redis)] : []),
  ];
  const treeLog = createTreeLog(keyring, baseUrl);
  const { origin } = treeLog;
  const { witnessPolicy: policy } = config;
  const lastSigned = createLastSigned(dirname(config.erasureLedger), treeLog);
  const vitals = createVitals({
    db,
    now: () => clock.now(),
    relayer: chain.chain.relayer,
    parts: async () =>
      (await checkParts(readiness)).map(({ name, problem }) => ({ name, ok: problem === undefined })),
    anchoring: () => anchoringStatus(db),
    confirmations: config.chain.confirmations,
    head: async () => (await chain.chain.head()).number,
    balance: () => chain.chain.balance(),
    witnesses: () => witnessHealth(db, { origin, policy, now: clock.now() }),
    log: async () => ({
      held: await logHold(db, origin, lastSigned, (policy?.witnesses.length ?? 0) > 0),
      index_held: await heldIndex(db),
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

/** Anyone can request /readyz, and a chain call may cost money. */
const REUSED_FOR_MS = 1_000;

/** These facts do not make the service unready. */
function tombstoneFacts({ withheld, unmatched }: MissingTombstones): object {
  if (unmatched === 0) return { withheld, unmatched };
  const fault = `${unmatched} on the chain match no etch: this database may show a text that was retracted (svc-admin chain check --leaves)`;
  return { withheld, unmatched, fault };
}

const standbyReadiness = ({ status }: Pick<Standby, 'status'>): ReadinessPart => ({
  name: 'standby',
  optional: true,
  async check() {
    const { problem } = status();
    return problem && `${problem}: the primary answers lists`;
  },
  facts: () => ({ age_seconds: status().ageSeconds }),
});

export function createReadiness({
  db,
  clock,
  chain,
  standby,
}: Pick<StartContext, 'db' | 'clock' | 'chain'> & {
  standby?: Pick<Standby, 'status'> | undefined;
}): ReadinessPart[] {
  let forgotten: MissingTombstones | undefined;
  const head = cached(REUSED_FOR_MS, () => chain.chain.head(), true);
  return [
    {
      name: 'database',
      check: async () => ((await isMigrated(db)) ? undefined : 'migrations are missing'),
      facts: () => ({ engine: db.engine }),
    },
    ...(standby ? [standbyReadiness(standby)] : []),
    { name: 'clock', check: async () => clock.problem() },
    {
      name: 'chain',
      async check() {
        forgotten = await readMissingTombstones(db).catch(() => undefined);
        await head();
        return undefined;
      },
      facts: () => ({
        name: chain.chain.name,
        ...(chain.devnet && { rpc_url: chain.devnet.rpcUrl }),
        ...(forgotten && { tombstones: tombstoneFacts(forgotten) }),
      }),
    },
  ];
}
