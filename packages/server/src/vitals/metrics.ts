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
import type { Config } from '../settings/config.ts';
import { BUILD } from '../settings/version.ts';
import type { StandbyStatus } from '../platform/standby/standby.ts';
import {
  createGauges,
  HOST,
  PROCESS,
  type ProcessSource,
  readHost,
  readProcess,
  readStandby,
  readVitals,
  STANDBY,
  VITALS,
} from './gauges.ts';
import type { ReadVitals } from './vitals.ts';

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

export interface MetricsSource extends ProcessSource {
  config: Config;
  vitals: ReadVitals;
  clock: ProcessSource['clock'] & { now(): number };
  standby?: () => StandbyStatus;
  others?: () => Promise<Figures[]>;
}

export function createMetrics(source: MetricsSource): Metrics {
  const { config, vitals, standby, others, clock } = source;
  // Only process metrics are summed, so they have their own registry.
  const [service, ownRegistry] = [new Registry(), new Registry()];
  const registers = [ownRegistry];
  // The default precision of 10 ms wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: ownRegistry, eventLoopMonitoringPrecision: 50 });
  // Gauges with the name of a counter; each is the sum of another one, such as nodejs_active_handles.
  for (const what of ['handles', 'requests', 'resources'])
    ownRegistry.removeSingleMetric(`nodejs_active_${what}_total`);
  new Gauge({
    name: 'svc_build_info',
    help: 'Always 1; the labels name the build of the service',
    labelNames: ['version', 'commit', 'schema'],
    registers: [service],
  }).set({ version: BUILD.version, commit: BUILD.commit ?? '', schema: BUILD.schema }, 1);
  const setVitals = createGauges(service, VITALS);
  const setHost = createGauges(service, HOST);
  const setProcess = createGauges(ownRegistry, PROCESS, ['svc_clock_held_seconds', 'svc_task_lag_seconds']);
  const setStandby = standby && createGauges(ownRegistry, STANDBY, ['svc_standby_age_seconds']);
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
    setProcess(readProcess(source));
    setStandby?.(readStandby(standby!()));
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
      setVitals(readVitals(await vitals(), clock.now()));
      setHost(await readHost(config));
      const [mine, theirs] = await Promise.all([own(), others?.() ?? []]);
      const measured = theirs.length === 0 ? ownRegistry : AggregatorRegistry.aggregate([mine, ...theirs]);
      return `${await service.metrics()}\n${await measured.metrics()}`;
    },
  };
}
