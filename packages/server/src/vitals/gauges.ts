// The gauges of /metrics, with their help texts.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/db.ts';
import type { TaskTimes } from '../platform/scheduler/scheduler.ts';
import type { StandbyStatus } from '../platform/standby/standby.ts';
import type { Config } from '../settings/config.ts';
import { lastBackup } from './last-backup.ts';
import type { MissingProofs } from './store.ts';
import type { Vitals } from './vitals.ts';

type Help = string | readonly [help: string, ...labelNames: string[]];
/** A value, or all values with their labels. Unknown ones are removed, because they would look current. */
type Figure = number | null | undefined | readonly (readonly [value: number, ...labels: string[]])[];

/** Processes sum their figures, or take the maximum of those in `most`. */
export function createGauges<Name extends string>(
  registry: Registry,
  helps: Readonly<Record<Name, Help>>,
  most: readonly Name[] = [],
): (figures: Readonly<Record<Name, Figure>>) => void {
  const gauges = (Object.entries(helps) as [Name, Help][]).map(([name, texts]) => {
    const [help, ...labelNames] = typeof texts === 'string' ? [texts] : texts;
    const aggregator = most.includes(name) ? 'max' : 'sum';
    return [name, new Gauge({ name, help, labelNames, registers: [registry], aggregator })] as const;
  });
  return (figures) => {
    for (const [name, gauge] of gauges) {
      const figure: Figure = figures[name];
      if (typeof figure === 'number') gauge.set(figure);
      else if (!figure) gauge.remove();
      else {
        gauge.reset();
        for (const [value, ...labels] of figure) gauge.labels(...labels).set(value);
      }
    }
  };
}

export const VITALS = {
  svc_ready: ['1 while this part works, as in /readyz', 'part'],
  svc_anchor_pending: 'Commitments and retractions that are not anchored',
  svc_anchor_halted: 'Commitments and retractions set aside because their rows do not match their hashes',
  svc_anchor_oldest_pending_seconds: 'Age of the oldest pending commitment or retraction',
  svc_anchor_open_transactions: 'Transactions that are not final',
  svc_anchor_failing:
    '1 while every attempt to anchor fails; 0 while anchoring is catching up with the chain',
  svc_anchor_last_timestamp_seconds: 'Time of the newest block that anchors something',
  svc_anchor_batches: ['Anchored trees by kind: commitment, retraction', 'kind'],
  svc_anchor_transactions: 'Final transactions',
  svc_sealed_unreadable: 'Sealed texts that no key of SECRET_KEYS decrypts',
  svc_etches_withheld: 'Etches withheld because the chain has a tombstone that the database lost',
  svc_tombstones_unmatched: 'Tombstones on the chain that match no known etch',
  svc_relayer_attested_before: '1 when the relayer attested under the schema before this database began',
  svc_evidence_missing: 'Anchored trees without the block proof that evidence needs',
  svc_evidence_oldest_missing_seconds: 'Age of the oldest anchored tree without that block proof',
  svc_timestamps_missing: 'Anchored trees that wait for a time stamp',
  svc_timestamps_oldest_missing_seconds: 'Age of the oldest anchored tree without a time stamp',
  svc_witness_behind_seconds: [
    'Age of the oldest tree that this witness of WITNESS_POLICY has not cosigned; 0: it has cosigned all',
    'witness',
  ],
  svc_log_held: '1 while the log of trees signs no checkpoint of its newest trees',
  svc_relayer_balance_ether: "The relayer's balance in whole units of the chain's coin",
  svc_relayer_balance_seconds: 'How long the balance lasts at the rate of the last week',
  svc_relayer_spent_ether_per_day: 'Cost of anchoring per day at the rate of the last week',
  svc_relayer_spent_ether: 'Fees of the transactions that became final since this process started',
  svc_anchor_gas: 'Gas of the transactions that became final since this process started',
  svc_anchor_gas_per_transaction: 'Mean gas of the newest transactions',
} as const;

const WEI = 1e18;
const DAY_SECONDS = 86_400;

export function readVitals(
  { parts, anchoring, counts, witnesses, log, relayer }: Vitals,
  now: number,
): Record<keyof typeof VITALS, Figure> {
  const { balance, daysLeft, spend } = relayer;
  const age = (missing: MissingProofs | undefined): Figure =>
    missing && (missing.oldestAt === null ? 0 : Math.max(0, (now - missing.oldestAt) / 1000));
  return {
    svc_ready: parts.map(({ name, ok }) => [Number(ok), name]),
    svc_anchor_pending: anchoring?.pending,
    svc_anchor_halted: anchoring?.halted,
    svc_anchor_oldest_pending_seconds: anchoring && (anchoring.oldestPendingSeconds ?? 0),
    svc_anchor_open_transactions: anchoring?.openTransactions,
    svc_anchor_failing: anchoring && Number(anchoring.failingSince !== null),
    svc_anchor_last_timestamp_seconds: anchoring?.lastAnchoredAt
      ? Date.parse(anchoring.lastAnchoredAt) / 1000
      : null,
    svc_anchor_batches: counts
      ? [
          [counts.commitmentBatches, 'commitment'],
          [counts.retractionBatches, 'retraction'],
        ]
      : [],
    svc_anchor_transactions: counts?.transactions,
    svc_sealed_unreadable: counts?.unreadable,
    svc_etches_withheld: counts?.forgotten.withheld,
    svc_tombstones_unmatched: counts?.forgotten.unmatched,
    svc_relayer_attested_before: counts && Number(counts.attestedBefore),
    svc_evidence_missing: counts?.unproven.trees,
    svc_evidence_oldest_missing_seconds: age(counts?.unproven),
    svc_timestamps_missing: counts?.unstamped.trees,
    svc_timestamps_oldest_missing_seconds: age(counts?.unstamped),
    svc_witness_behind_seconds: (witnesses ?? []).map(({ name, behindSeconds }) => [behindSeconds, name]),
    svc_log_held: log && Number(log.held !== null),
    svc_relayer_balance_ether: balance === null ? null : Number(balance) / WEI,
    svc_relayer_balance_seconds: daysLeft === null ? null : daysLeft * DAY_SECONDS,
    svc_relayer_spent_ether_per_day: spend && Number(spend.perDay) / WEI,
    svc_relayer_spent_ether: spend && Number(spend.wei) / WEI,
    svc_anchor_gas: spend && Number(spend.gas),
    svc_anchor_gas_per_transaction: spend?.gasPerTransaction,
  };
}

export const HOST = {
  svc_disk_free_bytes: ['Free space of the disk with DATA_DIR (data) and with LEDGER_DIR (ledgers)', 'disk'],
  svc_disk_size_bytes: ['Size of the disk with DATA_DIR (data) and with LEDGER_DIR (ledgers)', 'disk'],
  svc_backup_last_timestamp_seconds: 'Time of the last backup by svc-admin backup; 0 when none is recorded',
} as const;

/** Leaves out a figure that cannot be read. */
export async function readHost(config: Config): Promise<Record<keyof typeof HOST, Figure>> {
  const free: [number, string][] = [];
  const size: [number, string][] = [];
  for (const [disk, folder] of Object.entries({
    data: config.dataDir,
    ledgers: dirname(config.erasureLedger),
  })) {
    const found = await statfs(folder).catch(() => undefined);
    if (!found) continue;
    free.push([found.bavail * found.bsize, disk]);
    size.push([found.blocks * found.bsize, disk]);
  }
  const last = await lastBackup(config);
  return {
    svc_disk_free_bytes: free,
    svc_disk_size_bytes: size,
    svc_backup_last_timestamp_seconds: last === undefined ? 0 : Date.parse(last.made_at) / 1_000,
  };
}

export const PROCESS = {
  svc_clock_held_seconds:
    "Difference between the database's clock and the time in use while no second source confirms it",
  svc_task_lag_seconds: ['Delay of a scheduled task, measured from its last success', 'task'],
  svc_task_failures: ['Failures of a scheduled task since this process started', 'task'],
  svc_db_connections: ['Connections to the database by pool and state', 'pool', 'state'],
  svc_db_waiting: ['Callers that wait for a database connection', 'pool'],
} as const;

export interface ProcessSource {
  tasks: TaskTimes;
  clock: { unconfirmedStepMs(): number };
  pools: Readonly<Record<string, Db | undefined>>;
}

export function readProcess({ tasks, clock, pools }: ProcessSource): Record<keyof typeof PROCESS, Figure> {
  const times = tasks.read();
  const found = Object.entries(pools).map(([pool, db]) => ({ pool, ...db?.pool?.() }));
  const open = found.filter((one): one is Required<typeof one> => one.size !== undefined);
  return {
    svc_clock_held_seconds: clock.unconfirmedStepMs() / 1000,
    svc_task_lag_seconds: times.map(({ name, lagSeconds }) => [lagSeconds, name]),
    svc_task_failures: times.map(({ name, failures }) => [failures, name]),
    svc_db_connections: open.flatMap(({ pool, size, idle }): [number, string, string][] => [
      [idle, pool, 'idle'],
      [size - idle, pool, 'busy'],
    ]),
    svc_db_waiting: open.map(({ pool, waiting }) => [waiting, pool]),
  };
}

export const STANDBY = {
  svc_standby_age_seconds: "Age of the standby's copy at the last check",
  svc_standby_lists: [
    'Lists since this process started: answered by the standby, or by the primary for this reason',
    'answered',
  ],
} as const;

export const readStandby = ({ ageSeconds, lists }: StandbyStatus): Record<keyof typeof STANDBY, Figure> => ({
  svc_standby_age_seconds: ageSeconds ?? 0,
  svc_standby_lists: Object.entries(lists).map(([answered, count]) => [count, answered]),
});
