import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { ChainCallOutcome } from '../chain/observed.ts';
import type { Db } from '../db/db.ts';
import type { TaskTimes } from '../platform/scheduler/scheduler.ts';
import type { Config } from '../settings/config.ts';
import { BUILD } from '../settings/version.ts';
import type { StandbyStatus } from '../platform/standby/standby.ts';
import { createHostGauges, createStandbyGauges } from './host-metrics.ts';
import type { Missing } from './store.ts';
import type { ReadVitals, Vitals } from './vitals.ts';

interface Notes {
  request(request: { operation: string; status: number; seconds: number }): void;
  chainCall(question: string, outcome: ChainCallOutcome): void;
  reopened(transactions: number): void;
}

export interface Metrics {
  notes: Notes;
  contentType: string;
  /** covers all processes that serve the port */
  text(): Promise<string>;
  own: () => Promise<Figures>;
}

/** prom-client's format for aggregation */
export type Figures = MetricObjectWithValues<MetricValue<string>>[];

export interface MetricsSource {
  config: Config;
  vitals: ReadVitals;
  tasks: TaskTimes;
  clock: { unconfirmedStepMs(): number; now(): number };
  pools: Readonly<Record<string, Db | undefined>>;
  standby?: () => StandbyStatus;
  others?: () => Promise<Figures[]>;
}

const WEI = 1e18;

export function createMetrics({
  config,
  vitals,
  tasks,
  clock,
  pools,
  standby,
  others,
}: MetricsSource): Metrics {
  // Only process metrics are summed, so they have their own registry.
  const [service, ownRegistry] = [new Registry(), new Registry()];
  const registers = [ownRegistry];
  // The default precision of 10 ms wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: ownRegistry, eventLoopMonitoringPrecision: 50 });
  new Gauge({
    name: 'svc_build_info',
    help: 'Always 1; the labels name the build of the service',
    labelNames: ['version', 'commit', 'schema'],
    registers: [service],
  }).set({ version: BUILD.version, commit: BUILD.commit ?? '', schema: BUILD.schema }, 1);
  const gauges = createGauges([service]);
  const setHost = createHostGauges(config, [service]);
  const process = createProcessGauges(registers);
  const setStandby = standby && createStandbyGauges(standby, registers);
  const requests = new Histogram({
    name: 'svc_request_seconds',
    help: 'Time to answer a request, by operation of the contract (or the path of a page) and status',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const chainCalls = new Counter({
    name: 'svc_chain_requests_total',
    help: 'Requests to the chain by outcome: ok, unavailable (no endpoint gave a valid answer), failed',
    labelNames: ['question', 'outcome'],
    registers,
  });
  const reopened = new Counter({
    name: 'svc_anchor_reopened_total',
    help: 'Final transactions that the chain lost in a reorganization and that were sent again',
    registers,
  });
  async function own(): Promise<Figures> {
    process.clockHeld.set(clock.unconfirmedStepMs() / 1000);
    for (const { name, lagSeconds, failures } of tasks.read()) {
      process.taskLag.set({ task: name }, lagSeconds);
      process.taskFailures.set({ task: name }, failures);
    }
    for (const [pool, db] of Object.entries(pools)) {
      const found = db?.pool?.();
      if (!found) continue;
      process.connections.set({ pool, state: 'idle' }, found.idle);
      process.connections.set({ pool, state: 'busy' }, found.size - found.idle);
      process.waiting.set({ pool }, found.waiting);
    }
    setStandby?.();
    return ownRegistry.getMetricsAsJSON();
  }
  return {
    notes: {
      request: ({ operation, status, seconds }) =>
        requests.observe({ operation, status: String(status) }, seconds),
      chainCall: (question, outcome) => chainCalls.inc({ question, outcome }),
      reopened: (transactions) => reopened.inc(transactions),
    },
    contentType: service.contentType,
    own,
    async text() {
      setVitals(gauges, await vitals(), clock.now());
      await setHost();
      const [mine, theirs] = await Promise.all([own(), others?.() ?? []]);
      const measured = theirs.length === 0 ? ownRegistry : AggregatorRegistry.aggregate([mine, ...theirs]);
      return `${await service.metrics()}\n${await measured.metrics()}`;
    },
  };
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registers: Registry[]) {
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> =>
    new Gauge({ name, help, labelNames, registers });
  return {
    ready: gauge('svc_ready', '1 while this part works, as in /readyz', 'part'),
    pending: gauge('svc_anchor_pending', 'Commitments and retractions that are not anchored'),
    halted: gauge(
      'svc_anchor_halted',
      'Commitments and retractions set aside because their rows do not match their hashes',
    ),
    oldest: gauge('svc_anchor_oldest_pending_seconds', 'Age of the oldest pending commitment or retraction'),
    open: gauge('svc_anchor_open_transactions', 'Transactions that are not final'),
    failing: gauge('svc_anchor_failing', '1 while every attempt to anchor fails'),
    last: gauge('svc_anchor_last_timestamp_seconds', 'Time of the newest block that anchors something'),
    batches: gauge('svc_anchor_batches', 'Anchored trees by kind: commitment, retraction', 'kind'),
    transactions: gauge('svc_anchor_transactions', 'Final transactions'),
    unreadable: gauge('svc_sealed_unreadable', 'Sealed texts that no key of SECRET_KEYS decrypts'),
    withheld: gauge(
      'svc_etches_withheld',
      'Etches withheld because the chain has a tombstone that the database lost',
    ),
    unmatched: gauge('svc_tombstones_unmatched', 'Tombstones on the chain that match no known etch'),
    attestedBefore: gauge(
      'svc_relayer_attested_before',
      '1 when the relayer attested under the schema before this database began',
    ),
    unproven: gauge('svc_evidence_missing', 'Anchored trees without the block proof that evidence needs'),
    unprovenAge: gauge(
      'svc_evidence_oldest_missing_seconds',
      'Age of the oldest anchored tree without that block proof',
    ),
    unstamped: gauge('svc_timestamps_missing', 'Anchored trees that wait for a time stamp'),
    unstampedAge: gauge(
      'svc_timestamps_oldest_missing_seconds',
      'Age of the oldest anchored tree without a time stamp',
    ),
    witnessBehind: gauge(
      'svc_witness_behind_seconds',
      'Age of the oldest tree that this witness of WITNESS_POLICY has not cosigned; 0: it has cosigned all',
      'witness',
    ),
    logHeld: gauge('svc_log_held', '1 while the log of trees signs no checkpoint of its newest trees'),
    balance: gauge('svc_relayer_balance_ether', "The relayer's balance in whole units of the chain's coin"),
    days: gauge('svc_relayer_balance_days', 'Days that the balance lasts at the rate of the last week'),
    perDay: gauge(
      'svc_relayer_spent_ether_per_day',
      'Cost of anchoring per day at the rate of the last week',
    ),
    spent: gauge(
      'svc_relayer_spent_ether',
      'Fees of the transactions that became final since this process started',
    ),
    gas: gauge('svc_anchor_gas', 'Gas of the transactions that became final since this process started'),
    gasMean: gauge('svc_anchor_gas_per_transaction', 'Mean gas of the newest transactions'),
  };
}

/** Aggregates by the sum, or by the maximum where a sum means nothing. */
function createProcessGauges(registers: Registry[]) {
  const gauge = <L extends string>(
    aggregator: 'sum' | 'max',
    name: string,
    help: string,
    ...labelNames: L[]
  ): Gauge<L> => new Gauge({ name, help, labelNames, registers, aggregator });
  return {
    clockHeld: gauge(
      'max',
      'svc_clock_held_seconds',
      "Difference between the database's clock and the time in use while no second source confirms it",
    ),
    taskLag: gauge(
      'max',
      'svc_task_lag_seconds',
      'Delay of a scheduled task, measured from its last success',
      'task',
    ),
    taskFailures: gauge(
      'sum',
      'svc_task_failures',
      'Failures of a scheduled task since this process started',
      'task',
    ),
    connections: gauge(
      'sum',
      'svc_db_connections',
      'Connections to the database by pool and state',
      'pool',
      'state',
    ),
    waiting: gauge('sum', 'svc_db_waiting', 'Callers that wait for a database connection', 'pool'),
  };
}

/** Removes old values, which would look current. */
function setVitals(
  gauges: Gauges,
  { parts, anchoring, counts, witnesses, log, relayer }: Vitals,
  now: number,
): void {
  const set = (gauge: Gauge, value: number | null | undefined): void => {
    if (value === null || value === undefined) gauge.remove();
    else gauge.set(value);
  };
  for (const { name, ok } of parts) gauges.ready.set({ part: name }, ok ? 1 : 0);
  set(gauges.pending, anchoring?.pending);
  set(gauges.halted, anchoring?.halted);
  set(gauges.oldest, anchoring && (anchoring.oldestPendingSeconds ?? 0));
  set(gauges.open, anchoring?.openTransactions);
  set(gauges.failing, anchoring && (anchoring.failingSince === null ? 0 : 1));
  set(gauges.last, anchoring?.lastAnchoredAt ? Date.parse(anchoring.lastAnchoredAt) / 1000 : null);
  set(gauges.transactions, counts?.transactions);
  set(gauges.unreadable, counts?.unreadable);
  set(gauges.withheld, counts?.forgotten.withheld);
  set(gauges.unmatched, counts?.forgotten.unmatched);
  set(gauges.attestedBefore, counts && Number(counts.attestedBefore));
  const age = (missing: Missing | undefined): number | undefined =>
    missing && (missing.oldestAt === null ? 0 : Math.max(0, (now - missing.oldestAt) / 1000));
  set(gauges.unproven, counts?.unproven.trees);
  set(gauges.unprovenAge, age(counts?.unproven));
  set(gauges.unstamped, counts?.unstamped.trees);
  set(gauges.unstampedAge, age(counts?.unstamped));
  if (counts) {
    gauges.batches.set({ kind: 'commitment' }, counts.commitmentBatches);
    gauges.batches.set({ kind: 'retraction' }, counts.retractionBatches);
  } else gauges.batches.reset();
  gauges.witnessBehind.reset();
  for (const { name, behindSeconds } of witnesses ?? [])
    gauges.witnessBehind.set({ witness: name }, behindSeconds);
  set(gauges.logHeld, log && Number(log.held !== null));
  const { balance, daysLeft, spend } = relayer;
  set(gauges.balance, balance === null ? null : Number(balance) / WEI);
  set(gauges.days, daysLeft);
  set(gauges.perDay, spend && Number(spend.perDay) / WEI);
  set(gauges.spent, spend && Number(spend.wei) / WEI);
  set(gauges.gas, spend && Number(spend.gas));
  set(gauges.gasMean, spend?.gasPerTransaction);
}
